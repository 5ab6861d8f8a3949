import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Clock, Logger } from '../../../lib/base/index.ts'
import { joinKey, keyOf, nameOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../../lib/object/index.ts'
import type { Request } from './network.ts'
import { AutoscalerRules } from './rules/autoscalers.ts'
import { BudgetRules } from './rules/budgets.ts'
import { EventRules } from './rules/events.ts'
import { JobRules } from './rules/jobs.ts'
import { OwnerRules } from './rules/owners.ts'
import { quotaKept } from './rules/quotas.ts'
import { podDeleted, podMade, setScaled } from './rules/workloads.ts'
import type { Truth, Write } from './truth.ts'
import { View } from './view.ts'
import { Violation } from './violation.ts'

const podsName = nameOf(resources.core.v1.pods)
const namespacesName = nameOf(resources.core.v1.namespaces)
const setsName = nameOf(resources.apps.v1.replicasets)

/** More writes than any seed needs. */
const writesMax = 4000

/** What must hold after every write. The first violation is kept. */
export class Rules {
  readonly view: View
  failure: Error | undefined
  readonly #truth: Truth
  readonly #clock: Clock
  readonly #owners: OwnerRules
  readonly #budgets: BudgetRules
  readonly #jobs: JobRules
  readonly #autoscalers = new AutoscalerRules()
  readonly #events: EventRules
  /** Accounts that have asked for the deletion of an object, by its uid. */
  readonly #deleters = new Map<string, string>()
  /** Counts the seeds: what one of them left to be judged is nothing to the next. */
  #run = 0

  constructor(truth: Truth, clock: Clock) {
    this.#truth = truth
    this.#clock = clock
    this.view = new View(truth, clock)
    this.#owners = new OwnerRules(truth, clock)
    this.#budgets = new BudgetRules(this.view)
    this.#jobs = new JobRules(this.view)
    this.#events = new EventRules(clock)
  }

  begin(turnMs: number): void {
    this.#run++
    this.failure = undefined
    this.#deleters.clear()
    this.view.clear()
    this.view.turnMs = turnMs
    this.#owners.begin()
    this.#jobs.clear()
    this.#autoscalers.begin()
    this.#events.begin()
    this.#truth.onWrite = (write) => this.#guard(() => this.#written(write))
  }

  /** What the logs of managers go to. */
  get log(): Logger {
    return this.#events.log((error) => (this.failure ??= error as Error))
  }

  /** As RequestCheck, of one manager: what a controller is about to do. */
  asked(manager: string, account: string, request: Request): (() => void) | undefined {
    const { method, type, url } = request
    this.#guard(() => {
      if (type?.resource === 'events') this.#events.asked(manager, request)
      if (account === 'horizontal-pod-autoscaler') this.#autoscalers.asked(request)
    })
    if (method !== 'DELETE' || !type) return undefined
    this.#guard(() => this.#truth.catchUp())
    const parts = (url.split('?', 1)[0] ?? '').split('/')
    const name = parts.at(-1) ?? ''
    const key = type.namespaced ? joinKey(parts.at(-3) ?? '', name) : name
    const object = this.#truth.get(type, key)
    if (!object) return undefined
    const { preconditions } = (request.body?.value ?? {}) as { preconditions?: { uid?: string } }
    if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid) return undefined
    this.#deleters.set(object.metadata.uid ?? '', account)
    let verdict: Error | undefined
    try {
      if (account === 'generic-garbage-collector') this.#owners.collecting(object)
      else if (type.resource === 'pods') podDeleted(this.view, account, object as Frozen<Pod>)
    } catch (error) {
      verdict = error as Error
    }
    if (!verdict) return undefined
    if (account === 'generic-garbage-collector') return () => this.#judgeLater(object)
    return () => void (this.failure ??= verdict)
  }

  /** The user deletes an object. */
  deleting(object: Frozen<ApiObject>, policy: 'Background' | 'Foreground' | 'Orphan'): void {
    if (policy === 'Orphan') this.#owners.orphaning(object)
    else this.#owners.collectingDependents(object)
    if (policy !== 'Foreground') this.#owners.hurrying(object)
  }

  /** The user evicts a pod; the function that it answers is to be called when the server has granted that. */
  evicting(pod: Frozen<Pod>): () => void {
    const judge = this.#budgets.evicting(pod)
    return () => this.#guard(judge)
  }

  #written(write: Write): void {
    const { resource, before, after } = write
    if (this.#truth.writes > writesMax) throw new Violation(`${this.#truth.writes} writes`)
    const uid = before?.metadata.uid ?? ''
    const deleter = this.#deleters.get(uid)
    this.view.note(write, deleter)
    if (resource === podsName) {
      if (!before && after) podMade(this.view, after as Frozen<Pod>)
      this.#jobs.podWritten(write)
    }
    if (resource === setsName && after) setScaled(this.view, before, after)
    this.#jobs.written(write)
    this.#events.written(write)
    this.#autoscalers.written(write)
    quotaKept(this.#truth, write, this.#clock.now())
    if (after) return
    if (resource === namespacesName && before) this.#emptied(before)
    if (before) this.#owners.gone(before)
  }

  /** The collector reads owners from the server itself: the truth may show a moment later what it has read. */
  #judgeLater(object: Frozen<ApiObject>): void {
    const run = this.#run
    this.#clock.after(1, () => {
      if (this.#run === run) this.#guard(() => this.#owners.collecting(object))
    })
  }

  #emptied({ metadata: { name } }: Frozen<ApiObject>): void {
    for (const { resource, object } of this.#truth.everything())
      if (object.metadata.namespace === name)
        throw new Violation(`namespace ${name} is gone, but not ${resource} ${keyOf(object)}`)
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.failure ??= error as Error
    }
  }
}
