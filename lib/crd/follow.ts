import { type Closable, createRepeatedWork, type Logger, type RepeatedWork } from '../base/index.ts'
import { type Entry, followCache } from '../cache/index.ts'
import { cleanupFinalizer } from '../kinds/index.ts'
import { type ApiObject, copyObject, formatTime, type GroupResource, statusErrors } from '../object/index.ts'
import { ignoreRefusal, type ResourceRegistry, type WriteContext } from '../registry/index.ts'
import type { RequestInfo } from '../request/index.ts'
import { cleanUp } from './cleanup.ts'
import { StructuralConditions } from './conditions/structural.ts'
import { asDefinition, type Definition, definitionsResource, type Names } from './definition/definition.ts'
import { type DefinitionSummary, summaryOf } from './definitionsummary.ts'
import { HeldDefinitions } from './helddefinitions.ts'
import { type MountDependencies, MountedDefinition } from './mount.ts'
import { type MountServices, mountDependencies } from './mountdependencies.ts'
import { planStatus } from './plan.ts'

interface CustomResourcesDependencies extends MountServices {
  readonly log: Logger
  /** The context of the server's own writes, with its user. */
  context(signal: AbortSignal): WriteContext
}

/** Serves the resources that stored definitions define. */
interface CustomResources extends Closable {
  /** Resolves once every definition of the first list is served. */
  readonly ready: Promise<void>
  /**
   * The ResourcesOptions.missing of custom resources: waits until this replica knows the definitions that another one
   * has accepted.
   */
  missing(info: RequestInfo): Promise<void> | undefined
  close(): void
}

const sweepMs = 300_000
const retries = { firstMs: 50, maxMs: 30_000 }
/** Maximum time that a request waits for a definition that exists but is not served yet. */
const acceptanceWaitMs = 1_000

export function createCustomResources(dependencies: CustomResourcesDependencies): CustomResources {
  const definitions = dependencies.registry.resource(definitionsResource)
  if (!definitions) return { ready: Promise.resolve(), missing: () => undefined, close() {} }
  return new Following(dependencies, definitions)
}

class Following implements CustomResources {
  readonly ready: Promise<void>
  readonly #dependencies: CustomResourcesDependencies
  readonly #definitions: ResourceRegistry
  readonly #mounting: MountDependencies
  readonly #closing = new AbortController()
  readonly #follower: { readonly ready: Promise<void>; close(): void }
  readonly #sweeping: Closable
  readonly #known = new Map<string, DefinitionSummary>()
  readonly #mounted = new Map<string, MountedDefinition>()
  readonly #works = new Map<string, RepeatedWork>()
  /** Unfinished mounts. */
  readonly #pending = new Map<string, Promise<void>>()
  readonly #structures = new StructuralConditions()
  readonly #held = new HeldDefinitions()
  readonly #waiting = new Set<() => void>()
  readonly #builtIn: ReadonlySet<string>

  constructor(dependencies: CustomResourcesDependencies, definitions: ResourceRegistry) {
    const { clock, log, scheme } = dependencies
    this.#dependencies = dependencies
    this.#definitions = definitions
    this.#mounting = mountDependencies(dependencies)
    this.#builtIn = new Set(scheme.groups.map(({ group }) => group))
    this.#follower = followCache(
      { clock, log },
      definitions.cache,
      {
        set: (object, entry) => this.#set(object, entry),
        remove: (_namespace, name) => this.#remove(name),
      },
      { read: (entry) => this.#held.of(entry) },
    )
    this.ready = this.#follower.ready.then(async () => {
      await Promise.all(this.#pending.values())
    })
    this.ready.catch(() => {})
    this.#sweeping = clock.every(sweepMs, () => {
      for (const mounted of this.#mounted.values()) mounted.sweep()
    })
  }

  close(): void {
    this.#closing.abort(new Error('the server stops'))
    this.#follower.close()
    void this.#sweeping.close()
    for (const work of this.#works.values()) void work.close()
    this.#works.clear()
    this.#told()
  }

  missing({ group, version, resource }: RequestInfo): Promise<void> | undefined {
    if (this.#builtIn.has(group) || !/^[a-z0-9-]{1,63}$/.test(resource) || !/^[a-z0-9.-]{3,253}$/.test(group))
      return undefined
    return this.#untilServed(`${resource}.${group}`, version)
  }

  async #untilServed(name: string, version: string): Promise<void> {
    const { clock } = this.#dependencies
    const { key } = this.#definitions.target('', name)
    const { entry } = await this.#definitions.cache.get(key, { at: { kind: 'latest' }, signal: this.#closing.signal })
    if (!entry) return
    const wanted = summaryOf(asDefinition(entry.object()), entry)
    if (wanted.namesConflict && !wanted.isServed) return
    if (!wanted.versions.some((one) => one.name === version && one.served)) return
    const untilMs = clock.monotonicMs() + acceptanceWaitMs
    while (!this.#closing.signal.aborted) {
      await this.#pending.get(name)
      const mounted = this.#mounted.get(name)
      if (mounted?.isMounted(version) === true || clock.monotonicMs() >= untilMs) return
      await this.#change(untilMs - clock.monotonicMs())
    }
  }

  /** Resolves with the next change of the served resources, or after the time. */
  #change(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        void timer.close()
        resolve()
      }
      const timer = this.#dependencies.clock.after(Math.max(1, waitMs), done)
      this.#waiting.add(done)
    })
  }

  #told(): void {
    for (const done of this.#waiting) done()
  }

  #set(object: ApiObject, entry: Entry): void {
    const definition = asDefinition(object)
    const summary = summaryOf(definition, entry)
    const before = this.#known.get(summary.name)
    this.#known.set(summary.name, summary)
    this.#held.hold(entry.key, entry.revision, definition)
    this.#serve(summary)
    this.#work(summary.name)
    // Another definition may wait for the names that this one got or released.
    if (!before || !sameNames(before.acceptedNames, summary.acceptedNames)) this.#workOnGroup(summary.group)
  }

  #remove(name: string): void {
    const summary = this.#known.get(name)
    this.#known.delete(name)
    this.#mounted.get(name)?.unmount()
    this.#mounted.delete(name)
    void this.#works.get(name)?.close()
    this.#works.delete(name)
    this.#structures.forget(name)
    if (summary) this.#workOnGroup(summary.group)
    this.#told()
  }

  #serve(summary: DefinitionSummary): void {
    const { name } = summary
    const mounted = this.#mounted.get(name)
    if (mounted && summary.isServed && mounted.continues(summary)) {
      mounted.update(summary)
      return this.#told()
    }
    mounted?.unmount()
    this.#mounted.delete(name)
    if (!summary.isServed || this.#builtIn.has(summary.group)) return this.#told()
    const fresh = new MountedDefinition(summary, this.#mounting)
    this.#mounted.set(name, fresh)
    const pending = fresh
      .mount()
      .catch((error: unknown) => {
        if (this.#closing.signal.aborted || this.#mounted.get(name) !== fresh) return
        this.#dependencies.log.error('a custom resource can not be served', { name, error })
      })
      .finally(() => {
        if (this.#pending.get(name) === pending) this.#pending.delete(name)
        this.#told()
      })
    this.#pending.set(name, pending)
  }

  #workOnGroup(group: string): void {
    for (const { name, namesConflict, group: other } of this.#known.values())
      if (other === group && namesConflict) this.#work(name)
  }

  #work(name: string): void {
    if (this.#closing.signal.aborted) return
    let work = this.#works.get(name)
    if (!work) {
      work = createRepeatedWork(this.#dependencies, {
        name: `work on the definition ${name}`,
        backoff: retries,
        run: () => this.#reconcile(name).catch(ignoreRefusal('NotFound')),
      })
      this.#works.set(name, work)
    }
    work.again()
  }

  /** One step of reconciling a definition. */
  async #reconcile(name: string): Promise<void> {
    const summary = this.#known.get(name)
    if (!summary) return
    const definition = this.#held.of(summary.entry)
    this.#held.release(summary.entry)
    const { metadata } = definition
    if (metadata.deletionTimestamp !== undefined) {
      if (metadata.finalizers?.includes(cleanupFinalizer)) await this.#cleanUp(summary)
      return
    }
    const planned = (object: Definition): Definition['status'] | undefined => {
      const now = formatTime(this.#dependencies.clock.now())
      return planStatus(object, this.#namesBeside(summary), now, (each) => this.#structures.of(each))
    }
    if (!planned(definition)) return
    await this.#write(name, (object) => {
      const status = planned(object)
      return status ? ({ ...object, status } as Definition) : object
    })
  }

  #namesBeside({ name, group }: DefinitionSummary): Names[] {
    return [...this.#known.values()]
      .filter((other) => other.group === group && other.name !== name)
      .map(({ acceptedNames }) => acceptedNames)
  }

  async #cleanUp(summary: DefinitionSummary): Promise<void> {
    const { clock } = this.#dependencies
    const { signal } = this.#closing
    const context = this.#dependencies.context(signal)
    await this.#pending.get(summary.name)
    const registry = this.#mounted.get(summary.name)?.registry
    const instances = { registry, overlaps: this.#builtIn.has(summary.group) }
    await cleanUp(summary.name, instances, { definitions: this.#definitions, clock, context, signal })
  }

  async #write(name: string, change: (definition: Definition) => Definition): Promise<void> {
    const target = this.#definitions.target('', name)
    const transform = (existing: { readonly object: ApiObject } | undefined): ApiObject => {
      if (!existing) throw statusErrors.notFound(definitionsResource as GroupResource, name)
      // Only the metadata and the status change; the rest is shared.
      const { object } = existing
      return change(asDefinition({ ...object, metadata: copyObject(object.metadata) }))
    }
    const context = this.#dependencies.context(this.#closing.signal)
    const { object, key, revision, stored } = await this.#definitions.update(
      target,
      { subresource: 'status', transform },
      context,
    )
    if (!stored) return
    // The event of this write arrives soon: it need not be decoded.
    this.#definitions.cache.adopt({ key, revision, object })
    const known = this.#known.get(name)
    if (known && known.entry.revision < revision) this.#held.hold(key, revision, asDefinition(object))
  }
}

function sameNames(a: Names, b: Names): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
