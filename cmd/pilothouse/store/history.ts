import { parseFlags } from '../../../lib/flags/index.ts'
import {
  encryptionOf,
  type StoreChange,
  type StoredObjects,
  StoreToolError,
  wholeKey,
} from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { historyFlags } from './flags.ts'
import { onlyKey } from './get.ts'
import { openReader, prefixOf, withObjects } from './open.ts'
import { chooseOutput, print } from './output.ts'
import { asYaml, show } from './show.ts'

const usage = `Prints the writes of a key, as far back as the store's history goes: the oldest first.

Usage:
  pilothouse store history deployments/default/web --data-dir=/var/lib/pilothouse
  pilothouse store history deployments/default/web --output=yaml --etcd-servers=https://10.0.0.1:2379
`

/** Exit code 1: the key has no history. */
export async function history(line: readonly string[]): Promise<number> {
  const { values, positional } = parseFlags(historyFlags, line)
  if (isAnswered({ values, positional: [] }, usage, historyFlags)) return 0
  const output = chooseOutput(values.output, ['table', 'yaml', 'json'])
  const key = wholeKey(onlyKey(positional), prefixOf(values))
  const reader = await openReader(values)
  try {
    let changes = 0
    if (output === 'table') await print(row('REVISION', 'CHANGE', 'BYTES', 'ENCRYPTED'))
    await withObjects(reader, values, async (objects) => {
      for await (const change of reader.history(key)) {
        changes++
        await print(
          output === 'table' ? asRow(change) : await asObject(objects, change, output, values['show-secrets']),
        )
      }
    })
    if (changes === 0) throw new StoreToolError(`the store's history has no key ${JSON.stringify(key)}`)
    return 0
  } finally {
    await reader.close()
  }
}

function asRow(change: StoreChange): string {
  const encrypted = encryptionOf(change.value)?.provider ?? ''
  return row(
    String(change.revision),
    nameOf(change),
    change.type === 'delete' ? '' : String(change.value.length),
    encrypted,
  )
}

function nameOf({ type, revision, createRevision }: StoreChange): string {
  return type === 'delete' ? 'deleted' : revision === createRevision ? 'created' : 'updated'
}

async function asObject(
  objects: StoredObjects,
  change: StoreChange,
  output: 'yaml' | 'json',
  showSecrets: boolean,
): Promise<string> {
  const { key, value, createRevision, revision } = change
  const name = nameOf(change)
  if (change.type === 'delete')
    return output === 'json'
      ? `${JSON.stringify({ key, revision, change: name })}\n`
      : `---\n# ${name} at ${revision}\n`
  const shown = await show(
    objects,
    { key, value, createRevision, modRevision: revision, ttlSeconds: 0 },
    { showSecrets },
  )
  return output === 'json' ? `${JSON.stringify({ ...shown, change: name })}\n` : `---\n${asYaml(shown)}`
}

function row(revision: string, change: string, bytes: string, encrypted: string): string {
  return `${revision.padEnd(12)} ${change.padEnd(8)} ${bytes.padEnd(9)} ${encrypted}`.trimEnd() + '\n'
}
