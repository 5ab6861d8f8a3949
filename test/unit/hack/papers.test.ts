import assert from 'node:assert/strict'
import { join } from 'node:path'
import { rows } from '../../../hack/rooms.ts'
import { findBrokenPaths, findUnlistedDecisions, findWrongPapers, findWrongRooms } from '../../../hack/tidy/papers.ts'

const table = (all: readonly (readonly string[])[]): string =>
  all.map((rooms, row) => `| ${row}   | ${rooms.map((room) => `\`${room}\` (something)`).join(', ')} |`).join('\n')

describe('the documents', () => {
  it('name only files, folders, rooms and decisions that exist', () => {
    assert.deepEqual(findWrongPapers(join(import.meta.dirname, '../../..')), [])
  })

  it('fail the check with paths and links that lead nowhere', () => {
    const known = new Set(['lib/cache/feed/feed.ts', 'docs/flags.md', 'README.md'])
    const documents = new Map([
      ['README.md', 'In `lib/cache/feed/feed.ts`, [flags](docs/flags.md), lib/cache/gone.ts and [more](docs/gone.md).'],
      ['docs/flags.md', 'See [the start](../README.md#figures), [here](#flags), https://example.org/lib/none.'],
    ])
    assert.deepEqual(
      findBrokenPaths(documents, (path) => known.has(path)),
      ['README.md: lib/cache/gone.ts is missing', 'README.md: docs/gone.md is missing'],
    )
  })

  it('fail the check where the table of rooms is not that of hack/rooms.ts', () => {
    const folders = rows.flat()
    assert.deepEqual(findWrongRooms(table(rows), folders), [])
    const [first = [], ...others] = rows
    assert.deepEqual(findWrongRooms(table([[...first, 'cellar'], ...others]), folders), [
      `ARCHITECTURE.md: row 0 is ${first.join(', ')} in hack/rooms.ts`,
    ])
    assert.deepEqual(
      findWrongRooms(
        table(rows),
        folders.filter((room) => room !== 'crd'),
      ),
      ['hack/rooms.ts: there is no folder lib/crd'],
    )
  })

  it('fail the check where a decision is not in the index, or has no status', () => {
    const index = [
      '| [One](1.md) | 2026-11-21 | accepted |',
      '| [Two](2.md) | 2026-11-21 | replaced by [one](1.md) |',
      '| [Three](3.md) | 2026-11-21 | replaced by [four](4.md) |',
    ].join('\n')
    assert.deepEqual(findUnlistedDecisions(index, ['1.md', '2.md', '3.md', '5.md']), [
      'hack/decisions/README.md: 5.md is not in the index',
      'hack/decisions/README.md: 3.md: "replaced by [four](4.md)" is no status',
    ])
  })
})
