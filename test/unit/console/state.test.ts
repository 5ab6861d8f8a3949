import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fieldWith } from '../../../console/state/fieldtext.ts'
import { diffLines } from '../../../console/state/linediff.ts'
import { ownedFields } from '../../../console/state/ownedfields.ts'
import type { Row } from '../../../console/state/row.ts'
import { fieldCompletions, labelCompletions } from '../../../console/state/selectorcompletions.ts'
import { shownRows } from '../../../console/state/shownrows.ts'
import { SortedRows } from '../../../console/state/sortedrows.ts'
import { parseTrimmed, trimJson } from '../../../console/state/trimmedjson.ts'
import { shortened, visible } from '../../../console/state/visible.ts'
import { itemOfList } from '../../../console/state/yamlitem.ts'
import { withoutManagedFields } from '../../../console/state/yamltext.ts'
import { explain } from '../../../console/text.ts'
import { anyCharacter } from '../../support/anycharacter.ts'
import { threadCpuMs } from '../../support/cputime.ts'

describe('the state of the console', () => {
  describe('the text of fields', () => {
    it('the first field that holds it is named by its path', () => {
      const object = {
        metadata: { managedFields: [{ manager: 'nginx' }], annotations: { 'a.b/c': 'x' } },
        spec: { containers: [{ name: 'a' }, { image: 'registry/NGINX:1', port: 8080 }] },
      }
      assert.deepEqual(fieldWith(object, 'nginx'), { path: 'spec.containers[1].image', value: 'registry/NGINX:1' })
      assert.deepEqual(fieldWith(object, '808'), { path: 'spec.containers[1].port', value: '8080' })
      assert.deepEqual(fieldWith(object, 'x'), { path: 'metadata.annotations["a.b/c"]', value: 'x' })
      assert.equal(fieldWith(object, 'none'), undefined)
    })
    it('deep and large objects are looked at in part', () => {
      let deep: unknown = 'wanted'
      for (let depth = 0; depth < 100; depth++) deep = [deep]
      assert.equal(fieldWith(deep, 'wanted'), undefined)
      assert.equal(fieldWith([...Array(30_000).fill('a'), 'wanted'], 'wanted'), undefined)
      assert.equal(fieldWith(Array(1_000_000).fill(1), 'wanted'), undefined)
    })
  })

  describe('completions of selectors', () => {
    const labelled: Row['labels'][] = [{ app: 'web', tier: 'front' }, { app: 'web' }, { app: 'db' }]
    const rows = labelled.map(
      (labels, index): Row => ({
        uid: String(index),
        name: 'x',
        namespace: '',
        createdAtMs: 0,
        deleting: false,
        labels,
        cells: [],
      }),
    )
    it('labels of the rows, the frequent ones first, complete the last requirement', () => {
      assert.deepEqual(labelCompletions('', rows), ['app=web', 'app=db', 'tier=front'])
      assert.deepEqual(labelCompletions('app=w', rows), ['app=web'])
      assert.deepEqual(labelCompletions('app=web,', rows), ['app=web,app=db', 'app=web,tier=front'])
      assert.deepEqual(labelCompletions('none', rows), [])
    })
    it('many labels offer 200 at most', () => {
      const many = Array.from({ length: 300 }, (_, index) => ({ ...rows[0], labels: { [`l${index}`]: 'v' } }) as Row)
      assert.equal(labelCompletions('', many).length, 200)
    })
    it('fields are those of every kind', () => {
      assert.deepEqual(fieldCompletions('meta', true), ['metadata.name=', 'metadata.namespace='])
      assert.deepEqual(fieldCompletions('', false), ['metadata.name='])
    })
  })

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

  it('the item of a list is taken out of it with all of its lines', () => {
    const item = 'data:\n  note: |\n    first\n\n    last\nkind: ConfigMap\nmetadata:\n  name: web'
    const list = `apiVersion: v1\nitems:\n- ${item.replaceAll(/\n(?!\n)/g, '\n  ')}\nkind: List\n`
    assert.equal(itemOfList(list), item)
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

  it('rows under changes are those that sorting all of them gives', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')
    const cell = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom('<none>', '7', '10'))
    const change = fc.record({ name, cell: fc.option(cell), reads: fc.boolean() })
    const order = fc.record({ column: fc.constantFrom(-1, 0, 1), descending: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), order, fc.constantFrom('', 'A'), (changes, by, search) => {
        const source = {
          rows: new Map<string, Row>(),
          onRow: undefined as ((uid: string, b?: Row) => void) | undefined,
        }
        const sorted = new SortedRows(source)
        for (let at = 0; at < 200; at++) source.rows.set(`z${at}`, rowOf(`za${at}`, at))
        sorted.read(search, by)
        for (const { name: uid, cell: value, reads } of changes) {
          const before = source.rows.get(uid)
          if (value === null) source.rows.delete(uid)
          else source.rows.set(uid, rowOf(uid, value))
          if (value !== null || before) source.onRow?.(uid, before)
          if (!reads) continue
          const uids = (rows: readonly Row[]): string[] => rows.map((row) => row.uid).sort()
          const all = shownRows(source.rows.values(), search, by)
          assert.deepEqual(uids(sorted.read(search, by)), uids(all))
          // Numbers and texts in one column have no order of their own.
          if (by.column !== 1) assert.deepEqual(sorted.read(search, by), all)
        }
      }),
    )
  })

  it('rows that come and go between two readings are forgotten', () => {
    const source = { rows: new Map<string, Row>(), onRow: undefined as ((uid: string, b?: Row) => void) | undefined }
    const sorted = new SortedRows(source)
    sorted.read('', { column: 0, descending: false })
    for (let at = 0; at < 1000; at++) {
      const row = rowOf(`row-${at}`, at)
      source.rows.set(row.uid, row)
      source.onRow?.(row.uid, undefined)
      source.rows.delete(row.uid)
      source.onRow?.(row.uid, row)
    }
    assert.equal(sorted.unread, 0)
  })

  it('characters that hide, reorder or colour others are shown as signs', () => {
    assert.equal(visible('a\tb\nc'), 'a\tb\nc')
    assert.equal(visible('\u001b[31mred\u001b[0m\r\0\u007f'), '␛[31mred␛[0m␍␀␡')
    assert.equal(visible('nwod\u202eside\u2066\u200b\ufeff'), 'nwod⟨202e⟩side⟨2066⟩⟨200b⟩⟨feff⟩')
    assert.equal(visible('schön 日本 👍'), 'schön 日本 👍')
    assert.equal(shortened('abcdef', 4), 'abcd… (+2)')
  })

  describe('a JSON text that is trimmed', () => {
    const cut = (value: unknown, max: number): unknown => {
      if (Array.isArray(value)) return value.slice(0, max).map((each) => cut(each, max))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .slice(0, max)
          .map(([key, each]) => [key, cut(each, max)]),
      )
    }

    it('keeps the first members of every object and list, whatever is in strings', () => {
      const nasty = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '{', '[,', '"}],'))
      const json = fc.jsonValue({ maxDepth: 4, depthSize: 'small', stringUnit: anyCharacter })
      const value = fc.oneof(json, fc.dictionary(nasty, fc.array(nasty)))
      fc.assert(
        fc.property(value, fc.integer({ min: 1, max: 4 }), fc.constantFrom(undefined, 2), (each, max, space) => {
          assert.deepEqual(
            JSON.parse(trimJson(JSON.stringify(each, undefined, space), max)),
            JSON.parse(JSON.stringify(cut(each, max))),
          )
        }),
      )
    })

    it('of any length is read in time that grows with its length', () => {
      const text = JSON.stringify({ quotes: '\\"'.repeat(500_000), many: Array.from({ length: 200_000 }, () => '{') })
      const startedMs = threadCpuMs()
      assert.equal((parseTrimmed(text) as { many: unknown[] }).many.length, 1000)
      assert.ok(threadCpuMs() - startedMs < 1000)
    })
  })

  it('every error says what to do', () => {
    for (const code of [0, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504, 418, 599]) {
      const said = explain(code, 'pods "web" is odd')
      assert.match(said, /\.$/, String(code))
      assert.ok(said.length > 'pods "web" is odd.'.length + 10, said)
      assert.doesNotMatch(said, /undefined|\.\./)
    }
  })
})

function rowOf(uid: string, cell: unknown): Row {
  return { uid, name: uid, namespace: '', createdAtMs: 0, deleting: false, labels: {}, cells: [uid, cell] }
}
