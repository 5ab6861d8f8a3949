import { FlagError, parseFlags } from '../../../lib/flags/index.ts'
import { encryptionOf, type StoredEntry, wholeKey } from '../../../lib/storetools/index.ts'
import { isAnswered } from '../../commandline.ts'
import { listFlags } from './flags.ts'
import { openReader, prefixOf } from './open.ts'
import { chooseOutput, print } from './output.ts'

const usage = `Lists the keys that begin with a text, with their revisions and sizes; without one, all that are below the prefix.

Usage:
  pilothouse store list configmaps/default/ --data-dir=/var/lib/pilothouse
  pilothouse store list --output=name --etcd-servers=https://10.0.0.1:2379
`

export async function list(line: readonly string[]): Promise<number> {
  const { values, positional } = parseFlags(listFlags, line)
  if (isAnswered({ values, positional: [] }, usage, listFlags)) return 0
  const output = chooseOutput(values.output, ['table', 'json', 'name'])
  if (positional.length > 1) throw new FlagError(`unexpected argument: ${positional[1]}`)
  const [given = ''] = positional
  const start = given === '' ? `${prefixOf(values)}/` : wholeKey(given, prefixOf(values))
  const reader = await openReader(values)
  try {
    const scan = await reader.scan({ start, keysOnly: output === 'name' })
    try {
      if (output === 'table') await print(row('REVISION', 'CREATED', 'BYTES', 'ENCRYPTED', 'KEY'))
      for await (const page of scan.pages()) {
        const found = page.filter(({ key }) => key.startsWith(start))
        await print(found.map(formats[output]).join(''))
        if (found.length < page.length) break
      }
    } finally {
      scan.close()
    }
    return 0
  } finally {
    await reader.close()
  }
}

const formats: Readonly<Record<'table' | 'json' | 'name', (entry: StoredEntry) => string>> = {
  name: ({ key }) => `${key}\n`,
  json: ({ key, modRevision, createRevision, value }) =>
    `${JSON.stringify({ key, revision: modRevision, createRevision, bytes: value.length, encrypted: encryptionOf(value)?.provider })}\n`,
  table: ({ key, modRevision, createRevision, value }) =>
    row(String(modRevision), String(createRevision), String(value.length), encryptionOf(value)?.provider ?? '', key),
}

/** Widths are fixed, as the list is printed while it is read. */
function row(revision: string, created: string, bytes: string, encrypted: string, key: string): string {
  return `${revision.padEnd(12)} ${created.padEnd(12)} ${bytes.padEnd(9)} ${encrypted.padEnd(10)} ${key}\n`
}
