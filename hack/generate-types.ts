// Writes api/gen/<group>/<version>.ts, static types of the tables in api/, and api/gen/resources.ts, the resources with
// the types of their objects. `--check` writes nothing and fails when something would change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configTables, tables } from '../api/index.ts'
import {
  compileTables,
  type Field,
  type GroupVersionTable,
  type StructType,
  type Type,
  tablePrefix,
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

/** True for fields that every decoded object has, whatever its text. */
function alwaysSet({ type, pointer, omit }: Field): boolean {
  if (pointer || omit === 'zero') return false
  if (type.is === 'struct') return true
  if (type.is !== 'scalar' || type.scalar === 'bytes' || type.scalar === 'Time' || type.scalar === 'MicroTime')
    return false
  return omit === 'never' || type.scalar === 'Quantity' || type.scalar === 'Duration' || type.scalar === 'IntOrString'
}

/** `rbac` for rbac.authorization.k8s.io; the core group is `core`. */
function shortGroup(group: string): string {
  return group === '' ? 'core' : (group.split('.', 1)[0] ?? '')
}

/** Resources that are stored, for clients and informers: `resources.apps.v1.deployments`. */
function resourcesFile(): string {
  const imports: string[] = []
  const groups = new Map<string, string[]>()
  for (const table of tables) {
    const stored = Object.entries(table.resources ?? {})
    if (stored.length === 0) continue
    const alias = tablePrefix(table).replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    imports.push(`import type * as ${alias} from './${tablePrefix(table)}.ts'`)
    const lines = stored.map(([plural, { kind, namespaced }]) => {
      const words = [table.group, table.version, plural, kind].map((word) => `'${word}'`)
      return `      ${plural}: resourceType<${alias}.${kind}>(${words.join(', ')}, ${namespaced}),`
    })
    const versions = groups.get(shortGroup(table.group)) ?? []
    groups.set(shortGroup(table.group), versions)
    versions.push(`    ${table.version}: {\n${lines.join('\n')}\n    },`)
  }
  const body = [...groups].map(([group, versions]) => `  ${group}: {\n${versions.join('\n')}\n  },`)
  return `// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// The resources of the API for clients: \`client.resource(resources.apps.v1.deployments)\`.
import { resourceType } from '../../lib/object/index.ts'
${imports.sort().join('\n')}

export const resources = {
${body.join('\n')}
} as const
`
}

const stale: string[] = []
const files: (readonly [name: string, text: string])[] = [
  ...all.map((table) => [`${tablePrefix(table)}.ts`, file(table)] as const),
  ['resources.ts', resourcesFile()],
]
for (const [name, text] of files) {
  const path = join(root, 'api/gen', name)
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
