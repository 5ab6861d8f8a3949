import type { Feed } from '../../lib/cache/index.ts'
import type { StoredTable } from '../../lib/storage/index.ts'
import { SectionIndexWriter, SectionTable } from '../../lib/storage/mirror/sectionindex.ts'

type PastResource = NonNullable<ReturnType<Feed['pastState']>>['resources'][number]
type PastValue = ReturnType<PastResource['after']>[number]

/** The table that a file with this state would yield, in blocks of a few values. `change`: what was saved of a value. */
export function tableOf(
  { prefix, columns, after }: PastResource,
  { blockValues = 10, change = (value) => value }: { blockValues?: number; change?(value: PastValue): PastValue } = {},
): StoredTable {
  const values = after('', Number.MAX_SAFE_INTEGER).map(change)
  const writer = new SectionIndexWriter(columns.length)
  const blocks: Buffer[] = []
  for (let at = 0; at < values.length; at += blockValues) {
    const some = values.slice(at, at + blockValues)
    let end = 0
    for (const value of some) writer.add(value, (end += value.value.byteLength))
    const block = Buffer.allocUnsafeSlow(end)
    Buffer.concat(some.map(({ value }) => value)).copy(block)
    blocks.push(block)
  }
  const { index, texts } = writer.finish()
  const part = { at: 0, bytes: 0, crc: 0 }
  const section = {
    prefix,
    isSealed: false,
    columns,
    blocks: blocks.map((block, at) => ({
      ...part,
      bytes: block.length,
      count: Math.min(blockValues, values.length - at * blockValues),
    })),
    index: part,
    texts: part,
  }
  return new SectionTable(section, { blocks, index, texts })
}
