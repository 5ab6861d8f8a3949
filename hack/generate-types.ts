// Writes api/gen/<group>/<version>.ts: static types of the tables in api/. `--check` writes nothing and fails when
// something would change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configTables, tables } from '../api/index.ts'
import {
  compileTables,
  type Field,
  type GroupVersionTable,
  type StructType,
  tablePrefix,
  type Type,
} from '../lib/schema/index.ts'

const root = join(import.meta.dirname, '..')
const all = [...tables, ...configTables]
const types = compileTables(all)

const header = `// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
`

function file(table: GroupVersionTable): string {
  const own = tablePrefix(table)
  const imports = new Map<string, string>()
  let usesJson = false
  const nameOf = (struct: StructType): string => {
    const dot = struct.name.lastIndexOf('.')
    const [prefix, name] = [struct.name.slice(0, dot), struct.name.slice(dot + 1)]
    if (prefix === own) return name
    const alias = prefix.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    imports.set(prefix, alias)
    return `${alias}.${name}`
  }
  const expression = (type: Type): string => {
    switch (type.is) {
      case 'scalar':
        return (
          { bool: 'boolean', int32: 'number', int64: 'number', double: 'number', IntOrString: 'number | string' }[
            type.scalar as string
          ] ?? 'string'
        )
      case 'any':
        usesJson = true
        return 'JsonValue'
      case 'list':
        return `${/^[\w.]+$/.test(expression(type.element)) ? expression(type.element) : `(${expression(type.element)})`}[]`
      case 'map':
        return `Record<string, ${expression(type.element)}>`
      case 'struct':
        return nameOf(type)
    }
  }
  const declaration = (name: string): string => {
    const struct = types.struct(`${own}.${name}`)
    const schema = struct.byName.get('schema')
    if (struct.wrapper && schema) {
      const other = struct.fields.find((field) => field !== schema)
      return `export type ${name} = ${expression(schema.type)} | ${other ? expression(other.type) : 'never'}\n`
    }
    const isKind = table.types[name]?.kind === true
    const lines = struct.fields.map((field) => {
      const optional = alwaysSet(field) || (isKind && (field.name === 'kind' || field.name === 'apiVersion')) ? '' : '?'
      const doc = field.doc === '' ? '' : `  /** ${field.doc.replaceAll('*/', '* /')} */\n`
      return `${doc}  ${/^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : `'${field.name}'`}${optional}: ${expression(field.type)}`
    })
    const doc = struct.doc === '' ? '' : `/** ${struct.doc.replaceAll('*/', '* /')} */\n`
    return `${doc}export type ${name} = {${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}}\n`
  }
  const body = Object.entries(table.types)
    .filter(([, type]) => type.wrapper !== 'list')
    .map(([name]) => declaration(name))
  const importLines = [...imports].map(([prefix, alias]) => `import type * as ${alias} from '../${prefix}.ts'`).sort()
  if (usesJson) importLines.unshift("import type { JsonValue } from '../../../lib/object/index.ts'")
  return `${[header + importLines.join('\n'), ...body].join('\n')}`
}

/** True of fields that a decoded object has, whatever the text said. */
function alwaysSet({ type, pointer, omit }: Field): boolean {
  if (pointer || omit === 'zero') return false
  if (type.is === 'struct') return true
  if (type.is !== 'scalar' || type.scalar === 'bytes' || type.scalar === 'Time' || type.scalar === 'MicroTime')
    return false
  return omit === 'never' || type.scalar === 'Quantity' || type.scalar === 'Duration' || type.scalar === 'IntOrString'
}

const stale: string[] = []
for (const table of all) {
  const path = join(root, 'api/gen', `${tablePrefix(table)}.ts`)
  const text = file(table)
  if (process.argv.includes('--check')) {
    if (read(path) !== text) stale.push(path)
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
if (stale.length > 0) {
  console.error(`out of date; run node hack/generate-types.ts:\n${stale.join('\n')}`)
  process.exit(1)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
