import { isRecord } from '../base/index.ts'
import { formatGroupResource, type Revision } from '../object/index.ts'
import { type Damage, unfinishedKey } from '../storage/index.ts'
import type { StoredEntry, StoreReader } from './contract.ts'
import { type DecodedObject, isServersOwn, type KeyLocation, type StoredObjects } from './objects.ts'
import { UidSet } from './uidset.ts'

export type FindingType =
  /** The data file is damaged. The key is empty when it is not known. */
  | 'damaged'
  /** It can't be decrypted, or is no object. */
  | 'unreadable'
  /** It is encrypted, and was skipped without a key. */
  | 'encrypted'
  /** The key belongs to no resource, or to another namespace or name than its object. */
  | 'key'
  /** The object has another kind, or an unknown version. */
  | 'version'
  /** An owner that should be in this store is missing. */
  | 'owner'

export interface StoreFinding {
  readonly type: FindingType
  readonly key: string
  readonly revision: Revision
  readonly message: string
}

export interface CheckResult {
  readonly revision: Revision
  readonly keys: number
  readonly objects: number
  readonly bytes: number
  /** Keys outside of the prefix, which are not checked. */
  readonly outside: number
  /** Objects by `resource.group`. */
  readonly resources: ReadonlyMap<string, number>
  readonly findings: Readonly<Record<FindingType, number>>
}

export interface CheckOptions {
  onFinding(finding: StoreFinding): void
  /** Owners are not checked: there are too many objects. */
  onTooMany(): void
}

/**
 * Reads every key of the store at one revision, in pages: memory grows by some bytes an object. Continues after damaged
 * parts.
 */
export async function checkStore(
  reader: StoreReader,
  objects: StoredObjects,
  { onFinding, onTooMany }: CheckOptions,
): Promise<CheckResult> {
  const check = new Check(objects, onFinding)
  const scan = await reader.scan({ onDamage: (damage) => check.damaged(damage) })
  try {
    for await (const page of scan.pages()) for (const entry of page) await check.look(entry)
  } finally {
    scan.close()
  }
  if (check.isFull) onTooMany()
  else if (check.missesOwners) await findDependents(reader, objects, check, scan.revision)
  const { keys, objectCount, bytes, outside, resources, counts } = check
  return { revision: scan.revision, keys, objects: objectCount, bytes, outside, resources, findings: counts }
}

class Check {
  readonly #objects: StoredObjects
  readonly #onFinding: (finding: StoreFinding) => void
  readonly #uids = new UidSet()
  readonly #owners = new UidSet()
  readonly counts = { damaged: 0, unreadable: 0, encrypted: 0, key: 0, version: 0, owner: 0 }
  readonly resources = new Map<string, number>()
  keys = 0
  objectCount = 0
  bytes = 0
  outside = 0
  isFull = false

  constructor(objects: StoredObjects, onFinding: (finding: StoreFinding) => void) {
    this.#objects = objects
    this.#onFinding = onFinding
  }

  get missesOwners(): boolean {
    return !this.#owners.isWithin(this.#uids)
  }

  misses(uid: string): boolean {
    return !this.#uids.has(uid)
  }

  find(type: FindingType, { key, modRevision }: StoredEntry, message: string): void {
    this.counts[type]++
    this.#onFinding({ type, key, revision: modRevision, message })
  }

  damaged({ key, revision, message }: Damage): void {
    this.counts.damaged++
    this.#onFinding({ type: 'damaged', key, revision, message })
  }

  async look(entry: StoredEntry): Promise<void> {
    const { prefix } = this.#objects
    this.keys++
    this.bytes += entry.value.length
    if (entry.isForeign) return this.find('key', entry, 'the key is no UTF-8')
    if (entry.key === unfinishedKey)
      return this.find('key', entry, 'the store is not whole: a restore or migration did not end')
    if (!entry.key.startsWith(`${prefix}/`)) {
      this.outside++
      return
    }
    if (isServersOwn(entry.key.slice(prefix.length + 1))) return
    const place = this.#objects.locate(entry.key)
    if (!place) return this.find('key', entry, 'the key is of an unknown resource')
    const misplaced = misplacedParts(place)
    if (misplaced) return this.find('key', entry, misplaced)
    const decoded = await this.#objects.decode(entry, place)
    if (decoded.is === 'encrypted') return this.find('encrypted', entry, `encrypted by ${decoded.encryptedBy.provider}`)
    if (decoded.is !== 'object')
      return this.find(decoded.is === 'unreadable' ? 'unreadable' : 'version', entry, decoded.reason)
    this.#count(place)
    this.#lookAtMetadata(entry, place, decoded)
  }

  #count({ resource }: KeyLocation): void {
    this.objectCount++
    const name = formatGroupResource(resource)
    this.resources.set(name, (this.resources.get(name) ?? 0) + 1)
  }

  #lookAtMetadata(entry: StoredEntry, place: KeyLocation, decoded: DecodedObject): void {
    const metadata = metadataOf(decoded)
    const [namespace, name] = place.namespaced ? place.parts : ['', place.parts[0]]
    if (metadata['name'] !== name) this.find('key', entry, `the object in it has the name ${quoted(metadata['name'])}`)
    else if ((metadata['namespace'] ?? '') !== namespace)
      this.find('key', entry, `the object in it has the namespace ${quoted(metadata['namespace'])}`)
    const { uid } = metadata
    if (typeof uid === 'string' && uid !== '' && !this.#uids.add(uid)) this.isFull = true
    for (const owner of ownersOf(decoded, this.#objects)) if (!this.#owners.add(owner.uid)) this.isFull = true
  }
}

/** If owners are missing, a second round finds the objects that name them; objects written since are left out. */
async function findDependents(
  reader: StoreReader,
  objects: StoredObjects,
  check: Check,
  revision: Revision,
): Promise<void> {
  // The first round reported the damage.
  const scan = await reader.scan({ start: `${objects.prefix}/`, end: `${objects.prefix}0`, onDamage: () => {} })
  try {
    for await (const page of scan.pages())
      for (const entry of page) {
        if (entry.modRevision > revision) continue
        const place = objects.locate(entry.key)
        const decoded = place && (await objects.decode(entry, place))
        if (decoded?.is !== 'object') continue
        for (const { uid, kind, name } of ownersOf(decoded, objects))
          if (check.misses(uid))
            check.find('owner', entry, `its owner, the ${kind} ${quoted(name)} (${uid}), is not there`)
      }
  } finally {
    scan.close()
  }
}

function misplacedParts({ namespaced, parts }: KeyLocation): string | undefined {
  const expected = namespaced ? 2 : 1
  if (parts.length === expected && parts.every((part) => part !== '')) return undefined
  return namespaced ? 'the key is not namespace/name' : 'the key is not a name'
}

function metadataOf({ object }: DecodedObject): Readonly<Record<string, unknown>> {
  const metadata = isRecord(object) ? object['metadata'] : undefined
  return isRecord(metadata) ? metadata : {}
}

/** Owners whose kinds are in such a store. Those of aggregated servers are elsewhere. */
function* ownersOf(
  decoded: DecodedObject,
  objects: StoredObjects,
): Iterable<{ uid: string; kind: string; name: unknown }> {
  const { ownerReferences } = metadataOf(decoded)
  if (!Array.isArray(ownerReferences)) return
  for (const owner of ownerReferences as unknown[]) {
    if (!isRecord(owner)) continue
    const { apiVersion, kind, name, uid } = owner
    if (typeof uid !== 'string' || typeof apiVersion !== 'string' || typeof kind !== 'string') continue
    if (objects.isStored(apiVersion, kind)) yield { uid, kind, name }
  }
}

function quoted(value: unknown): string {
  return JSON.stringify(value ?? '').slice(0, 300)
}
