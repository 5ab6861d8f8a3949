import { resources } from '../../../../api/gen/resources.ts'
import type { Clock } from '../../../../lib/base/index.ts'
import { keyOf } from '../../../../lib/controller/index.ts'
import type { ApiObject, Frozen, OwnerReference } from '../../../../lib/object/index.ts'
import type { Truth } from '../truth.ts'
import { Violation } from '../violation.ts'

const foreground = 'foregroundDeletion'
/** Objects that are made while their owner is on its way out may be missed. */
const lateMs = 30_000

/** Nothing is collected that has an owner, and nothing is lost that should be set free. */
export class OwnerRules {
  readonly #truth: Truth
  readonly #clock: Clock
  /** By the uid of an owner that is deleted with Orphan: the uids of its dependents. */
  readonly #orphans = new Map<string, Set<string>>()
  readonly #hurried = new Set<string>()

  constructor(truth: Truth, clock: Clock) {
    this.#truth = truth
    this.#clock = clock
  }

  begin(): void {
    this.#orphans.clear()
    this.#hurried.clear()
  }

  /** A deletion that is asked for again with another policy waits for no dependents any more. */
  hurrying({ metadata: { uid = '' } }: Frozen<ApiObject>): void {
    this.#hurried.add(uid)
  }

  /** A deletion that is asked for again, and not with Orphan, sets no dependents free. */
  collectingDependents({ metadata: { uid = '' } }: Frozen<ApiObject>): void {
    this.#orphans.delete(uid)
  }

  /** All that name it when it is deleted, however new they are, are set free. */
  orphaning({ metadata: { uid = '', namespace, deletionTimestamp } }: Frozen<ApiObject>): void {
    if (deletionTimestamp !== undefined) return
    const dependents = new Set<string>()
    // Owners of another namespace are no owners.
    for (const { object } of this.#truth.everything())
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue
      else if (object.metadata.ownerReferences?.some((owner) => owner.uid === uid))
        dependents.add(object.metadata.uid ?? '')
    this.#orphans.set(uid, dependents)
  }

  /** The garbage collector deletes an object: all its owners are gone, or are going and wait for it. */
  collecting(object: Frozen<ApiObject>): void {
    const { uid = '' } = object.metadata
    const earliestMs = this.#clock.monotonicMs() - lateMs
    const recent = this.#truth.past(uid).filter(({ atMs }) => atMs >= earliestMs)
    const verdicts = [object, ...recent.map((version) => version.object)].map((version) => this.#wrong(version, uid))
    const [first] = verdicts
    if (first !== undefined && verdicts.every((verdict) => verdict !== undefined)) throw new Violation(first)
  }

  #wrong(object: Frozen<ApiObject>, uid: string): string | undefined {
    const { ownerReferences = [], namespace, finalizers = [], deletionTimestamp } = object.metadata
    const what = `${object.kind} ${keyOf(object)} is collected`
    if (ownerReferences.length === 0 && !(deletionTimestamp !== undefined && finalizers.length > 0))
      return `${what}, but has no owners`
    for (const owner of ownerReferences) {
      if (this.#isLive(owner, namespace)) return `${what}, but its owner ${owner.kind} ${owner.name} is there`
      // The end of a namespace deletes all that is in it once more, and not with Orphan.
      if (this.#orphans.get(owner.uid)?.has(uid) && !this.#isGoing(namespace))
        return `${what}, though ${owner.name} was to leave it behind`
    }
    return undefined
  }

  #isGoing(namespace: string | undefined): boolean {
    const found = namespace === undefined ? undefined : this.#truth.get(resources.core.v1.namespaces, namespace)
    return found?.metadata.deletionTimestamp !== undefined
  }

  #isLive({ uid, kind, name }: Frozen<OwnerReference>, namespace: string | undefined): boolean {
    const owner = this.#truth.byUid(uid)
    if (!owner || owner.kind !== kind || owner.metadata.name !== name) return false
    if (owner.metadata.namespace !== undefined && owner.metadata.namespace !== namespace) return false
    // A deletion may have waited for dependents when the collector read it, and be asked for in another way since.
    const earliestMs = this.#clock.monotonicMs() - lateMs
    const recent = this.#truth.past(uid).filter(({ atMs }) => atMs >= earliestMs)
    const waits = ({ metadata }: Frozen<ApiObject>): boolean =>
      metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foreground) === true
    return !waits(owner) && !recent.some((version) => waits(version.object))
  }

  /** An object is gone; with Foreground, what blocks its deletion went before. */
  gone(object: Frozen<ApiObject>): void {
    const { metadata, kind } = object
    if (metadata.finalizers?.includes(foreground) !== true || this.#hurried.has(metadata.uid ?? '')) return
    const nowMs = this.#clock.now()
    const above = this.#ownersOf(object)
    for (const { object: other } of this.#truth.everything()) {
      const { ownerReferences = [], namespace, creationTimestamp = '', uid = '' } = other.metadata
      if (namespace !== metadata.namespace || nowMs - Date.parse(creationTimestamp) < lateMs) continue
      const blocks = ownerReferences.some((owner) => owner.uid === metadata.uid && owner.blockOwnerDeletion)
      const isNew = !this.#truth
        .past(uid)
        .every((version) => version.object.metadata.ownerReferences?.some((owner) => owner.uid === metadata.uid))
      // Of a circle one object goes first.
      if (blocks && !isNew && !above.has(uid))
        throw new Violation(`${kind} ${metadata.name} is gone before its ${other.kind} ${keyOf(other)}`)
    }
  }

  /** The owners of an object, and theirs. */
  #ownersOf(object: Frozen<ApiObject>): ReadonlySet<string> {
    const found = new Set<string>()
    const left: Frozen<ApiObject>[] = [object]
    for (let next = left.pop(); next; next = left.pop())
      for (const { uid } of next.metadata.ownerReferences ?? []) {
        const owner = found.has(uid) ? undefined : this.#truth.byUid(uid)
        if (!owner) continue
        found.add(uid)
        left.push(owner)
      }
    return found
  }
}
