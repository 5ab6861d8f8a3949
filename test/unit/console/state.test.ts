import assert from 'node:assert/strict'
import fc from 'fast-check'
import { diffLines } from '../../../console/state/linediff.ts'
import { ownedFields } from '../../../console/state/ownedfields.ts'
import type { Row } from '../../../console/state/row.ts'
import { shownRows } from '../../../console/state/shownrows.ts'
import { withoutManagedFields } from '../../../console/state/yamltext.ts'

describe('the state of the console', () => {
  describe('the difference of two texts', () => {
    it('equal texts have none', () => {
      assert.deepEqual(diffLines('a\nb', 'a\nb'), [])
    })

    it('names changed lines, with equal ones around them', () => {
      const lines = diffLines('a\nb\nc\nd\ne', 'a\nb\nx\nd\ne', 1)
      assert.deepEqual(
        lines.map(({ sign, text }) => sign + text),
        [' b', '-c', '+x', ' d'],
      )
    })

    it('holds both texts, whatever they are', () => {
      const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))
      fc.assert(
        fc.property(text, text, (before, after) => {
          const lines = diffLines(before, after, Number.POSITIVE_INFINITY)
          if (before === after) return assert.deepEqual(lines, [])
          const without = (sign: string): string =>
            lines
              .filter((line) => line.sign !== sign)
              .map((line) => line.text)
              .join('\n')
          assert.deepEqual([without('+'), without('-')], [before, after])
        }),
      )
    })

    it('a text beyond the limit counts as changed as a whole, at once', () => {
      const many = (word: string): string => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join('\n')
      assert.equal(diffLines(many('a'), many('b')).length, 40_000)
    })
  })

  it('managed fields are dropped from YAML, and nothing else', () => {
    const yaml = [
      'metadata:',
      '  labels:',
      '    managedFields: kept',
      '  managedFields:',
      '  - apiVersion: v1',
      '    fieldsV1:',
      '      f:data: {}',
      '  name: web',
      'spec: {}',
    ].join('\n')
    assert.equal(withoutManagedFields(yaml), 'metadata:\n  labels:\n    managedFields: kept\n  name: web\nspec: {}')
  })

  it('owned fields are paths to the leaves, keys of lists in brackets', () => {
    const set = {
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } }, 'f:finalizers': { 'v:"a"': {} } },
    }
    assert.deepEqual(ownedFields(set), ['spec.containers[name="web"].image', 'spec.finalizers["a"]'])
    assert.deepEqual(ownedFields({ 'k:{broken': {} }), ['[{broken]'])
  })

  it('rows are filtered by name and sorted by cells, numbers as numbers', () => {
    const row = (name: string, restarts: number): Row => ({
      uid: name,
      name,
      namespace: 'default',
      createdAtMs: 0,
      deleting: false,
      labels: {},
      cells: [name, restarts],
    })
    const rows = [row('web-2', 10), row('web-1', 9), row('db', 100)]
    const names = (search: string, column: number, descending: boolean): string[] =>
      shownRows(rows, search, { column, descending }).map(({ name }) => name)
    assert.deepEqual(names('', 0, false), ['db', 'web-1', 'web-2'])
    assert.deepEqual(names('WEB', 1, false), ['web-1', 'web-2'])
    assert.deepEqual(names('', 1, true), ['db', 'web-2', 'web-1'])
  })
})
