import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFeatureGates } from '../../../lib/features/index.ts'
import { builtInKinds, createKindSet, defaultColumns } from '../../../lib/kinds/index.ts'
import { type ApiObject, parseGroupVersion } from '../../../lib/object/index.ts'
import type { StructType, Type } from '../../../lib/schema/index.ts'
import { decoded, scheme } from '../../support/kindrun.ts'
import { assertRecorded } from '../../support/recorded.ts'

// What a stock server was seen to do, where its answers lie beside the repository, and what is recorded here.
const facts = join(import.meta.dirname, '../../../../shared/facts')
const kinds = createKindSet(builtInKinds)
const { gate } = createFeatureGates()

function lines(file: string): string[] {
  const path = join(facts, file)
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

interface Columns {
  readonly group: string
  readonly kind: string
  readonly columns: readonly { name: string; type: string; format?: string; priority: number }[]
}

interface Defaults {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly emptyObject: Readonly<Record<string, unknown>>
  readonly nestedSkeleton: Readonly<Record<string, unknown>>
  readonly podTemplateSpecAt?: string
}

type Json = Readonly<Record<string, unknown>>

/** Paths, items of lists as [*], at which our defaults are not the ones expected. */
function compareDefaults(kind: string, apiVersion: string, given: Json, expected: Json): string[] {
  const body = { ...given, apiVersion, kind, metadata: {} } as ApiObject
  const [before, after] = [leavesOf(decoded(body, false)), leavesOf(decoded(body))]
  const theirs = new Map(Object.entries(expected).flatMap(([path, value]) => [...leavesOf(value, path)]))
  const differ: string[] = []
  for (const [path, value] of theirs) {
    // What is taken away, and times, which are the strategy's affair.
    if (value.startsWith('"<') || isElsewhere(path)) continue
    // An empty struct was not there; of ours it is a part of what was given.
    if (value === '{}' && [...after.keys()].some((other) => other.startsWith(`${path}.`))) continue
    if (after.get(path) !== value) differ.push(`${apiVersion} ${kind} ${path}: ${after.get(path)} instead of ${value}`)
  }
  for (const [path, value] of after)
    if (before.get(path) !== value && !theirs.has(path) && !isElsewhere(path))
      differ.push(`${apiVersion} ${kind} ${path}: ${value} is ours alone`)
  return differ
}

/** An alpha field, and what a claim's template is, which the stock server says when it converts, not by its defaults. */
function isElsewhere(path: string): boolean {
  return /disruptionMode|volumeClaimTemplates\[\*\]\.(apiVersion|kind)$/.test(path)
}

/** Texts of all that is neither an object nor a list, and of those that are empty, by path. */
function leavesOf(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    for (const [name, inner] of Object.entries(value)) {
      const step = Array.isArray(value) ? '[*]' : path === '' ? name : `.${name}`
      leavesOf(inner, `${path}${step}`, into)
    }
  else if (value !== undefined && value !== null) into.set(path, JSON.stringify(value))
  return into
}

/** An object with every struct and every list of structs in it, of one item each, and nothing else. */
function skeleton(struct: StructType, above: readonly StructType[]): Json {
  const inner = (type: Type): unknown => {
    if (type.is === 'list') {
      const item = inner(type.element)
      return item === undefined ? undefined : [item]
    }
    if (type.is !== 'struct' || type.wrapper || above.includes(type)) return undefined
    return skeleton(type, [...above, struct])
  }
  const entries = struct.fields.map(({ name, type }) => [name, name === 'metadata' ? undefined : inner(type)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

type Column = Columns['columns'][number]
const shape = ({ name, type, format = '', priority }: Column): string => `${name} ${type} ${format} ${priority}`

const namesToTry: readonly string[] = [
  '',
  ...'a A 1a a1 -a a- a.b a..b .a a_b a/b a%b a:b system:a . .. é'.split(' '),
  ...[52, 53, 63, 64, 253, 254].map((length) => 'a'.repeat(length)),
]

/** What defaults add to an object or change in it, by path. */
function defaultsOf(kind: string, apiVersion: string, given: Json): Record<string, string> {
  const body = { ...given, apiVersion, kind, metadata: {} } as ApiObject
  const [before, after] = [leavesOf(decoded(body, false)), leavesOf(decoded(body))]
  return Object.fromEntries([...after].filter(([path, value]) => before.get(path) !== value))
}

describe('kinds, as a stock server has them', () => {
  it('columns of tables @recorded', () => {
    const rows = lines('columns.jsonl').slice(1)
    const differ: string[] = []
    for (const row of rows) {
      const { group, kind, columns } = JSON.parse(row) as Columns
      const definition = kinds.get(group, kind)
      if (!definition) continue
      const [theirs, ours] = [columns.map(shape), (definition.columns ?? defaultColumns).map(shape)]
      if (theirs.join() !== ours.join()) differ.push(`${group} ${kind}\n  ${theirs.join(', ')}\n  ${ours.join(', ')}`)
    }
    assert.deepEqual(differ, [])
    assertRecorded(
      'columns',
      builtInKinds.map(({ group, kind, columns = defaultColumns }) => [`${group} ${kind}`, columns.map(shape)]),
    )
  })

  it('rules of names @recorded', () => {
    const rows = lines('name_rules.tsv').slice(1)
    const probesOf = (row: string): string[] => (row.split('\t')[3] ?? '').match(/<\d+ x a>|\S+/g) ?? []
    const probes = new Set(rows.flatMap(probesOf))
    const differ: string[] = []
    for (const row of rows) {
      const [groupVersion = '', kind = '', rule = ''] = row.split('\t')
      const definition = kinds.get(parseGroupVersion(groupVersion)?.group ?? '', kind)
      // What depends on more than the name is the affair of the kind's validation.
      if (!definition || /own rule|Indexed|max 52/.test(rule) || kind === 'ClusterTrustBundle') continue
      const refused = new Set(probesOf(row))
      for (const probe of probes) {
        const length = /^<(\d+) x a>$/.exec(probe)?.[1]
        const name = length === undefined ? probe : 'a'.repeat(Number(length))
        if (definition.nameRule(name, false, gate).length > 0 !== refused.has(probe))
          differ.push(`${groupVersion} ${kind} ${probe}: ${refused.has(probe) ? 'accepted' : 'refused'}`)
      }
    }
    assert.deepEqual(differ, [])
    assertRecorded(
      'names',
      builtInKinds.map(({ group, kind, nameRule }) => [
        `${group} ${kind}`,
        namesToTry.map((name) => [name.slice(0, 70), name.length, ...nameRule(name, false, gate)]),
      ]),
    )
  })

  it('defaults, of an object of nothing and of one that has every part, empty @recorded', () => {
    const rows = lines('defaults_observed.jsonl').map((row) => JSON.parse(row) as Defaults)
    const differ: string[] = []
    for (const { group, version, kind, emptyObject, nestedSkeleton, podTemplateSpecAt = 'nowhere' } of rows) {
      const definition = scheme.resourceOfKind({ group, version, kind })
      if (!definition || !kinds.get(group, kind)) continue
      const apiVersion = group === '' ? version : `${group}/${version}`
      for (const [given, expected] of [
        [{}, emptyObject],
        [skeleton(definition.struct, []), nestedSkeleton],
      ] as const) {
        const differences = compareDefaults(kind, apiVersion, given, expected)
        // The stock server fills this annotation in as it converts the object, and not with the defaults that were observed.
        const converted = 'DaemonSet metadata.annotations.deprecated.daemonset.template.generation'
        differ.push(
          ...differences.filter((path) => !path.includes(`${podTemplateSpecAt}.`) && !path.includes(converted)),
        )
      }
    }
    assert.deepEqual(differ, [])
    const own = scheme.resources.filter(({ gvk }) => kinds.get(gvk.group, gvk.kind) !== undefined)
    assertRecorded(
      'defaults',
      own.map(({ gvk: { group, version, kind }, struct }) => {
        const apiVersion = group === '' ? version : `${group}/${version}`
        const found = [{}, skeleton(struct, [])].map((given) => defaultsOf(kind, apiVersion, given))
        return [`${apiVersion} ${kind}`, found]
      }),
    )
  })
})
