import { parseFlags } from '../../../lib/flags/index.ts'
import { type CheckResult, checkStore, type StoreFinding } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { checkFlags } from './flags.ts'
import { openReader, withObjects } from './open.ts'
import { chooseOutput, formatBytes, formatJson, print, say } from './output.ts'

const usage = `Reads every object of the store, and reports those that can't be read, have another object's key, are of a wrong kind or version,
or name an owner that does not exist. Where the data file of an embedded store is damaged, it reports the loss and continues.
Nothing is changed. The exit code is 1 when there are findings.

Usage:
  pilothouse store check --data-dir=/var/lib/pilothouse
  pilothouse store check --etcd-servers=https://10.0.0.1:2379 --encryption-provider-config=encryption.yaml
`

/** Maximum number of findings printed; all are counted. */
const findingsMax = 10_000

export async function check(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(checkFlags, line)
  if (isAnswered(parsed, usage, checkFlags)) return 0
  const { values } = parsed
  const output = chooseOutput(values.output, ['table', 'json'])
  const reader = await openReader(values)
  try {
    const findings: StoreFinding[] = []
    const result = await withObjects(
      reader,
      values,
      (objects) =>
        checkStore(reader, objects, {
          onFinding(finding) {
            if (findings.length < findingsMax) findings.push(finding)
          },
          onTooMany: () => say('there are more objects than can be held: their owners were not checked'),
        }),
      // The check itself finds the damage, and reports it.
      () => {},
    )
    await print(output === 'json' ? asJson(result, findings) : asText(result, findings))
    return Object.values(result.findings).every((count) => count === 0) ? 0 : 1
  } finally {
    await reader.close()
  }
}

function asJson(result: CheckResult, findings: readonly StoreFinding[]): string {
  const { resources, findings: counts, ...rest } = result
  return formatJson({ ...rest, resources: Object.fromEntries(resources), counts, findings })
}

function asText(
  { keys, objects, bytes, outside, revision, findings: counts }: CheckResult,
  found: readonly StoreFinding[],
): string {
  const lines = found.map(({ type, key, revision: at, message }) =>
    key === '' ? `${type}: ${message}` : `${type}: ${printable(key)} (revision ${at}): ${message}`,
  )
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total > found.length) lines.push(`… and ${total - found.length} more`)
  lines.push(`${keys} keys, ${objects} objects, ${formatBytes(bytes)}, at revision ${revision}`)
  if (outside > 0) lines.push(`${outside} keys outside of the prefix were not checked`)
  const summary = Object.entries(counts).flatMap(([type, count]) => (count > 0 ? [`${count} ${type}`] : []))
  lines.push(summary.length === 0 ? 'nothing was found' : `found: ${summary.join(', ')}`)
  return `${lines.join('\n')}\n`
}

/** A key may contain control sequences of terminals. */
function printable(key: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(key) ? JSON.stringify(key) : key
}
