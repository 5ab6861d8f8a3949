import type { Finding, History, Operation, Rule } from './history.ts'

/** One state of an object: from its revision to that of the next one. */
export interface Version {
  readonly key: string
  readonly revision: number
  /** Undefined: the object was deleted. */
  readonly value: string | undefined
  /** Undefined: it is the last one. */
  next: Version | undefined
  /** The write behind it; undefined where none was found. */
  readonly write: Operation | undefined
  /** Not before: the write was not asked for earlier. */
  readonly notBeforeMs: number
  /** A client received it, or a later one, at this time: it existed. Infinity: no client did. */
  visibleByMs: number
}

export interface Versions {
  /** By key, in the order of revisions. */
  readonly byKey: ReadonlyMap<string, readonly Version[]>
  /** All, in the order of revisions. */
  readonly all: readonly Version[]
  readonly byRevision: ReadonlyMap<number, Version>
  readonly findings: readonly Finding[]
}

interface Told {
  readonly key: string
  readonly value: string | undefined
  readonly atMs: number
}

/**
 * All states of all objects, put together from answers and events, each with the write behind it. Finds states without a
 * write, acknowledged writes without a state, and two contents at one revision.
 */
export function collectVersions({ operations, lists, spans }: History): Versions {
  const findings: Finding[] = []
  const find = (rule: Rule, key: string, text: string): void => void findings.push({ rule, key, text })
  const told = new Map<number, Told>()
  const tell = (revision: number, one: Told, by: string): void => {
    const known = told.get(revision)
    if (!known) return void told.set(revision, one)
    if (known.key !== one.key || known.value !== one.value)
      find('two contents', one.key, `revision ${revision} is ${shown(known)}, and ${shown(one)} by ${by}`)
    else if (one.atMs < known.atMs) told.set(revision, one)
  }
  for (const { action, outcome, key, value, revision, answeredMs } of operations) {
    if (outcome !== 'done' || revision === undefined || value === undefined) continue
    tell(revision, { key, value, atMs: answeredMs }, action === 'get' ? 'a read' : 'an answer')
  }
  for (const { items, answeredMs } of lists)
    for (const [key, { value, revision }] of items) tell(revision, { key, value, atMs: answeredMs }, 'a list')
  for (const { name, events } of spans)
    for (const { type, key, value, revision, atMs } of events)
      tell(revision, { key, value: type === 'DELETED' ? undefined : value, atMs }, name)

  const byKey = matchWrites(told, operations, find)
  for (const versions of byKey.values()) {
    // A client that received a later state knows the earlier ones.
    let earliest = Infinity
    for (const version of versions.toReversed())
      version.visibleByMs = earliest = Math.min(earliest, version.visibleByMs)
  }
  const all = [...byKey.values()].flat().sort((a, b) => a.revision - b.revision)
  return { byKey, all, byRevision: new Map(all.map((version) => [version.revision, version])), findings }
}

function matchWrites(
  told: ReadonlyMap<number, Told>,
  operations: readonly Operation[],
  find: (rule: Rule, key: string, text: string) => void,
): Map<string, Version[]> {
  const writes = new Map<string, Operation>()
  for (const one of operations)
    if (one.action === 'delete')
      writes.set(`${one.key} -${one.expected}`, better(writes.get(`${one.key} -${one.expected}`), one))
    else if (one.action !== 'get') writes.set(`${one.key} ${one.value}`, one)
  const byKey = new Map<string, Version[]>()
  const used = new Set<Operation>()
  for (const [revision, { key, value, atMs }] of [...told].sort(([a], [b]) => a - b)) {
    const versions = byKey.get(key) ?? []
    byKey.set(key, versions)
    const write = writes.get(value === undefined ? `${key} -${versions.at(-1)?.revision}` : `${key} ${value}`)
    if (!write) find('ghost', key, `${value ?? 'a deletion'} at revision ${revision} was asked for by nobody`)
    else if (used.has(write)) find('ghost', key, `${describe(write)} is there twice, again at revision ${revision}`)
    else if (write.outcome !== 'done' && write.outcome !== 'unknown')
      find('ghost', key, `${describe(write)} was refused (${write.outcome}), and is there at revision ${revision}`)
    else if (write.revision !== undefined && write.revision !== revision)
      find('ghost', key, `${describe(write)} was answered with revision ${write.revision}, and is at ${revision}`)
    if (write) used.add(write)
    const version = {
      key,
      revision,
      value,
      next: undefined,
      write,
      notBeforeMs: write?.invokedMs ?? -Infinity,
      visibleByMs: atMs,
    }
    const before = versions.at(-1)
    if (before) before.next = version
    versions.push(version)
  }
  for (const one of operations)
    if (one.action !== 'get' && one.outcome === 'done' && !used.has(one))
      find('lost write', one.key, `${describe(one)} was acknowledged, and nothing shows it`)
  return byKey
}

/** Two deletions of one state: the one that was acknowledged did it. */
function better(known: Operation | undefined, one: Operation): Operation {
  if (!known || one.outcome === 'done') return one
  return known.outcome === 'done' || known.outcome === 'unknown' ? known : one
}

function shown({ key, value }: Told): string {
  return value === undefined ? `the end of ${key}` : `${key}=${value}`
}

export function describe({
  action,
  key,
  value,
  revision,
  expected,
  outcome,
  invokedMs,
  answeredMs,
}: Operation): string {
  const about = [
    value === undefined ? '' : `=${value}`,
    expected === undefined ? '' : ` after ${expected}`,
    revision === undefined ? '' : ` at ${revision}`,
  ].join('')
  return `${action} ${key}${about} (${outcome}, ${invokedMs.toFixed(0)}–${answeredMs.toFixed(0)} ms)`
}
