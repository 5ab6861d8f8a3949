import assert from 'node:assert/strict'
import { columnsOf } from '../../../lib/crd/columns.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { heldMsBound } from '../../support/holdmeter.ts'

const scalars = Array.from({ length: 90_000 }, (_, index) => index)
const object: ApiObject = {
  apiVersion: 'example.com/v1',
  kind: 'Wide',
  metadata: { name: 'w' },
  spec: { size: 3, a: [scalars], text: 't'.repeat(1_000_000) },
}

/** The cells of one row, and the CPU that they took. */
function rowOf(jsonPaths: readonly string[], type = 'string'): { cells: unknown[]; cpuMs: number } {
  const columns = columnsOf(jsonPaths.map((jsonPath, index) => ({ name: `c${index}`, type, jsonPath })))
  const row = { nowMs: 0, visitsLeft: 100_000 }
  const began = threadCpuMs()
  const cells = columns.map((column) => column.cell(object, row))
  return { cells, cpuMs: threadCpuMs() - began }
}

const thirty = (jsonPath: string): string[] => Array.from({ length: 30 }, () => jsonPath)

describe('printer columns', () => {
  const repeated = `.spec.a[${Array.from({ length: 1900 }, () => 0).join(',')}]..zz`
  for (const [title, jsonPath] of [
    ['paths that repeat an index two thousand times', repeated],
    ['paths that descend from every item', '.spec.a[*][*]..zz'],
    ['paths through filters of all values', '.spec.a[?(@[?(@>=0)])]..zz'],
  ] as const)
    it(`thirty ${title} end in cells that report it, within the time of one large row`, () => {
      const { cells, cpuMs } = rowOf(thirty(jsonPath))
      assert.equal(cells[0], 'w')
      assert.equal(cells.at(-1), '<too many values>')
      assert.ok(cpuMs < heldMsBound(), `${cpuMs} ms`)
    })

  it('a row shows as much text as one large object has, however many columns show it', () => {
    for (const jsonPath of ['.spec.a', '.spec.text']) {
      const { cells, cpuMs } = rowOf(thirty(jsonPath))
      assert.equal(cells.at(-1), '<too many values>')
      assert.ok(JSON.stringify(cells).length < 10_000_000)
      assert.ok(cpuMs < heldMsBound(), `${cpuMs} ms`)
    }
  })

  it('columns before the one that visits too much keep their cells, whatever their type', () => {
    assert.deepEqual(rowOf(['.spec.size', repeated, '.spec.size'], 'integer').cells, [
      'w',
      3,
      '<too many values>',
      '<too many values>',
    ])
  })

  it('one path through every value of a large object finds all matches', () => {
    assert.deepEqual(rowOf(['..size'], 'integer').cells, ['w', 3])
  })
})
