import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { StoreToolError, wholeKey } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { getFlags } from './flags.ts'
import { openReader, prefixOf, withObjects } from './open.ts'
import { chooseOutput, formatJson, print } from './output.ts'
import { asYaml, show } from './show.ts'

const usage = `Prints what a key holds, decoded. A key that doesn't begin with / is below the prefix.

Usage:
  pilothouse store get /registry/deployments/default/web --data-dir=/var/lib/pilothouse
  pilothouse store get deployments/default/web --revision=1200 --etcd-servers=https://10.0.0.1:2379
`

/** Exit code 1: the key does not exist, or its value can't be decoded. */
export async function get(line: readonly string[]): Promise<number> {
  const parsed = parseFlags(getFlags, line)
  const { values, positional } = parsed
  if (isAnswered({ values, positional: [] }, usage, getFlags)) return 0
  const output = chooseOutput(values.output, ['yaml', 'json'])
  const key = wholeKey(onlyKey(positional), prefixOf(values))
  const reader = await openReader(values)
  try {
    const { entry, revision } = await reader.get(key, asRevision(values.revision))
    if (!entry) throw new StoreToolError(`there is no key ${JSON.stringify(key)} at revision ${revision}`)
    const shown = await withObjects(reader, values, (objects) =>
      show(objects, entry, { showSecrets: values['show-secrets'] }),
    )
    await print(output === 'json' ? formatJson(shown) : asYaml(shown))
    return shown.problem === undefined ? 0 : 1
  } finally {
    await reader.close()
  }
}

export function onlyKey(positional: readonly string[]): string {
  const [key, ...rest] = positional
  if (key === undefined || key === '') throw new FlagError('name a key')
  if (rest.length > 0) throw new FlagError(`unexpected argument: ${rest[0]}`)
  return key
}
