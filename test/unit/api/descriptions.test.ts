import assert from 'node:assert/strict'
import { configTables, tables } from '../../../api/index.ts'
import type { GroupVersionTable } from '../../../lib/schema/index.ts'

/** Descriptions of a table by what they describe. Inlined fields show nowhere, hence have none. */
function* descriptions(table: GroupVersionTable): Generator<[where: string, doc: string | undefined]> {
  for (const [name, type] of Object.entries(table.types)) {
    yield [name, type.doc]
    for (const [field, { doc, inline }] of Object.entries(type.fields)) if (!inline) yield [`${name}.${field}`, doc]
  }
}

/** What is wrong with a description; empty when nothing is. */
function complaint(doc: string | undefined): string {
  if (doc === undefined || doc === '') return 'is missing'
  if (doc.length > 160) return `has ${doc.length} characters`
  if (/\s{2}|[\n\t]|^\s/.test(doc)) return 'has stray spaces'
  if (!doc.endsWith('.') || doc.endsWith('..')) return 'does not end with one full stop'
  if (!/^[A-Z0-9]/.test(doc)) return 'does not begin with a capital or a number'
  return ''
}

describe('descriptions of the API', () => {
  for (const table of [...tables, ...configTables])
    it(`every type and field of ${table.group || 'core'}/${table.version} has one sentence or more, in one line`, () => {
      const wrong = [...descriptions(table)]
        .map(([where, doc]) => [where, complaint(doc)])
        .filter(([, what]) => what !== '')
        .map(([where, what]) => `${where} ${what}`)
      assert.deepEqual(wrong, [])
    })

  it('a deprecated field’s description begins with this', () => {
    const late = [...tables, ...configTables].flatMap((table) =>
      [...descriptions(table)].filter(([, doc]) => / Deprecated\b/.test(doc ?? '')).map(([where]) => where),
    )
    assert.deepEqual(late, [])
  })
})
