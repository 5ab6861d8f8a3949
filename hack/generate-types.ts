// Writes api/gen/<group>/<version>.ts: the static types of the API, from the tables of api/. With --check it writes
// nothing and fails when a file is not what the tables say.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configTables, tables } from '../api/index.ts'
import type { FieldTable, GroupVersionTable, TypeTable } from '../lib/schema/index.ts'

const root = join(import.meta.dirname, '..', 'api', 'gen')
const check = process.argv.includes('--check')

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
  Quantity: 'string',
  IntOrString: 'number | string',
  RawExtension: 'unknown',
  JSON: 'unknown',
  FieldsV1: 'Record<string, unknown>',
}

/** Types of meta/v1 that lib/object states, for every room to share. */
const shared = ['ListMeta', 'ManagedFieldsEntry', 'ObjectMeta', 'OwnerReference']

/** As types name each other: `core` for the core group, `meta` for meta.k8s.io. */
const homeOf = ({ group, version }: GroupVersionTable): string =>
  `${group === '' ? 'core' : group.replace(/^meta\.k8s\.io$/, 'meta')}/${version}`
const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

/** One file: the types of a group version. */
function generate(table: GroupVersionTable, home: string, byHome: ReadonlyMap<string, GroupVersionTable>): string {
  const imports = new Map<string, Set<string>>()

  function reference(type: string): string {
    if (type.startsWith('*')) return reference(type.slice(1))
    if (type.startsWith('[]')) {
      const element = reference(type.slice(2))
      return /^[\w.]+(\[\])*$/.test(element) ? `${element}[]` : `(${element})[]`
    }
    const map = /^map\[\w+\](.*)$/.exec(type)
    if (map) return `Record<string, ${reference(map[1] ?? '')}>`
    const scalar = scalars[type]
    if (scalar !== undefined && !(type in table.types)) return scalar
    const dot = type.lastIndexOf('.')
    if (dot < 0) return type
    const [other, name] = [type.slice(0, dot), type.slice(dot + 1)]
    if (other === home) return name
    imports.set(other, (imports.get(other) ?? new Set()).add(name))
    return name in table.types ? `${alias(other)}_${name}` : name
  }

  function lookup(type: string): TypeTable | undefined {
    const plain = type.replace(/^\*/, '')
    const dot = plain.lastIndexOf('.')
    return dot < 0 ? table.types[plain] : byHome.get(plain.slice(0, dot))?.types[plain.slice(dot + 1)]
  }

  function member(name: string, field: FieldTable): string[] {
    if (field.inline) {
      if (field.type.endsWith('TypeMeta')) return ['  apiVersion: string', '  kind: string']
      const inlined = lookup(field.type)
      return Object.entries(inlined?.fields ?? {}).flatMap(([inner, one]) => member(inner, qualify(one, field.type)))
    }
    const isMetadata = name === 'metadata' && /^meta\/v1\.(ObjectMeta|ListMeta)$/.test(field.type)
    const optional = field.required || isMetadata ? '' : '?'
    return [`  ${isIdentifier(name) ? name : JSON.stringify(name)}${optional}: ${reference(field.type)}`]
  }

  /** Types that an inlined type names without a home are of its own group version. */
  function qualify(field: FieldTable, parent: string): FieldTable {
    const dot = parent.lastIndexOf('.')
    if (dot < 0) return field
    const other = parent.replace(/^\*/, '').slice(0, parent.replace(/^\*/, '').lastIndexOf('.'))
    const types = byHome.get(other)?.types ?? {}
    const type = field.type.replace(/[A-Za-z]\w*$/, (name, at: number) =>
      field.type[at - 1] !== '.' && name in types ? `${other}.${name}` : name,
    )
    return { ...field, type }
  }

  const bodies = Object.entries(table.types).map(([name, type]) => {
    if (home === 'meta/v1' && shared.includes(name)) return ''
    const members = Object.entries(type.fields).flatMap(([field, one]) => member(field, one))
    if (type.wrapper !== undefined) return `export type ${name} = ${wrapped(type)}\n`
    return members.length === 0
      ? `export type ${name} = Record<string, never>\n`
      : `export interface ${name} {\n${members.join('\n')}\n}\n`
  })

  function wrapped(type: TypeTable): string {
    if (type.wrapper !== 'list') return 'unknown'
    return reference(Object.values(type.fields)[0]?.type ?? '[]JSON')
  }

  const up = '../'.repeat(home.split('/').length - 1)
  const header = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([other, names]) => {
      const list = [...names]
        .sort((a, b) => (a < b ? -1 : 1))
        .map((name) => (name in table.types ? `${name} as ${alias(other)}_${name}` : name))
      return `import type { ${list.join(', ')} } from '${up}${other}.ts'\n`
    })
  const object =
    home === 'meta/v1'
      ? [
          `import type { ${shared.join(', ')} } from '../../../lib/object/index.ts'\nexport type { ${shared.join(', ')} }\n`,
        ]
      : []
  return `// Generated by hack/generate-types.ts from the tables of api/: do not edit.\n${[...object, ...header].join('')}\n${bodies.filter(Boolean).join('\n')}`
}

function alias(home: string): string {
  return home.replace(/[^A-Za-z0-9]+/g, '_')
}

function main(): number {
  const byHome = new Map([...tables, ...configTables].map((table) => [homeOf(table), table]))
  const files = new Map([...byHome].map(([home, table]) => [join(root, `${home}.ts`), generate(table, home, byHome)]))
  const present = existsSync(root) ? readdirSync(root, { recursive: true }).map((file) => join(root, String(file))) : []
  const stale = present.filter((file) => file.endsWith('.ts') && !files.has(file))
  const changed = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
  if (check) {
    for (const file of [...stale, ...changed.map(([name]) => name)])
      console.error(`${file} is not what the tables say: node hack/generate-types.ts`)
    return stale.length + changed.length > 0 ? 1 : 0
  }
  for (const file of stale) rmSync(file)
  for (const [file, text] of changed) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return 0
}

process.exit(main())
