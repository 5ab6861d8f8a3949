import type { Closable } from '../base/index.ts'
import type { ResourceTable } from './table.ts'

/**
 * A group that is served at present, after runtime-config and gates. Groups are in the order of discovery, versions in
 * the order of preference. The core group is ''.
 */
export interface ServedGroup {
  readonly name: string
  readonly versions: readonly ServedVersion[]
}
export interface ServedVersion {
  readonly version: string
  readonly resources: readonly ServedResource[]
}
export interface ServedResource {
  readonly plural: string
  /** With the served subresources only. */
  readonly table: ResourceTable
  /** The schema of a kind without a table; absent: its type is compiled from tables. */
  readonly published?: PublishedSchema
}

/** The OpenAPI schema of a kind without a table. */
export interface PublishedSchema {
  /** Name of its definition: `com.example.v1.Foo`. */
  readonly name: string
  /** Changes whenever the result of `definition` changes. */
  readonly fingerprint: string
  /**
   * The kind's definition in a dialect of OpenAPI; `reference` makes the reference to a type of the tables
   * (`meta/v1.ObjectMeta`). May be expensive: it is called when a document is made.
   */
  definition(dialect: 2 | 3, reference: (type: string) => Record<string, unknown>): Record<string, unknown>
}

/** Everything that is served, kept up to date: the one source of discovery, OpenAPI and the root page. */
export interface ServedGroups {
  /** The present groups: a new array after each change, with the same objects for unchanged groups and versions. */
  list(): readonly ServedGroup[]
  group(name: string): ServedGroup | undefined
  /** Serves a resource in a version, replacing one of the same name. */
  put(at: { readonly group: string; readonly version: string }, resource: ServedResource): void
  remove(at: { readonly group: string; readonly version: string; readonly resource: string }): void
  /** Calls back after each change. */
  onChange(changed: () => void): Closable
}

/** `initial` comes first, in its order; later groups follow, in the order of the stock server's priorities. */
export function createServedGroups(initial: readonly ServedGroup[]): ServedGroups {
  const fixed = new Map(initial.map((group) => [group.name, group]))
  const added = new Map<string, ServedGroup>()
  let listed: readonly ServedGroup[] | undefined
  const listeners = new Set<() => void>()

  function change(name: string, group: ServedGroup | undefined): void {
    listed = undefined
    const into = fixed.has(name) ? fixed : added
    if (group) into.set(name, group)
    else into.delete(name)
    for (const changed of listeners) changed()
  }

  return {
    list: () => (listed ??= [...fixed.values(), ...[...added.values()].sort(byPriority)]),
    group: (name) => fixed.get(name) ?? added.get(name),
    onChange(changed) {
      listeners.add(changed)
      return { close: () => void listeners.delete(changed) }
    },
    put({ group: name, version }, resource) {
      const group = fixed.get(name) ?? added.get(name) ?? { name, versions: [] }
      const known = group.versions.find((one) => one.version === version)
      const others = known?.resources.filter(({ plural }) => plural !== resource.plural) ?? []
      const changed = { version, resources: [...others, resource] }
      const versions = known
        ? group.versions.map((one) => (one === known ? changed : one))
        : [...group.versions, changed].sort((a, b) => compareVersions(a.version, b.version))
      change(name, { name, versions })
    },
    remove({ group: name, version, resource }) {
      const group = fixed.get(name) ?? added.get(name)
      const known = group?.versions.find((one) => one.version === version)
      if (!group || !known?.resources.some(({ plural }) => plural === resource)) return
      const resources = known.resources.filter(({ plural }) => plural !== resource)
      const versions = group.versions
        .map((one) => (one === known ? { version, resources } : one))
        .filter((one) => one.resources.length > 0)
      change(name, versions.length > 0 ? { name, versions } : undefined)
    },
  }
}

/** All have one priority, so the names of their first APIServices, `<version>.<group>`, decide. */
function byPriority(a: ServedGroup, b: ServedGroup): number {
  const [mine, theirs] = [firstService(a), firstService(b)]
  return mine < theirs ? -1 : mine > theirs ? 1 : 0
}

function firstService({ name, versions }: ServedGroup): string {
  return versions
    .map(({ version }) => `${version}.${name}`)
    .reduce((first, one) => (one < first ? one : first), '\uffff')
}

/**
 * Orders versions by preference: GA before beta before alpha, among them the highest number first (`v2`, `v1`,
 * `v1beta2`, `v1beta1`, `v1alpha1`); other names last, in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const [mine, theirs] = [rankOf(a), rankOf(b)]
  if (!mine || !theirs) return mine ? -1 : theirs ? 1 : a < b ? -1 : a > b ? 1 : 0
  for (const [index, rank] of mine.entries()) {
    const other = theirs[index] ?? 0n
    if (rank !== other) return rank > other ? -1 : 1
  }
  return 0
}

/** Stability, major, minor. */
function rankOf(version: string): readonly bigint[] | undefined {
  const [, major, stability, minor = '0'] = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(version) ?? []
  if (major === undefined) return undefined
  return [stability === undefined ? 2n : stability === 'beta' ? 1n : 0n, BigInt(major), BigInt(minor)]
}
