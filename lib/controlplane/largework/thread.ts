// A thread for large objects: the whole API machinery, with the store, admission and authorization of the event loop.

import nodeModule from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { createFieldOwnership } from '../../apply/index.ts'
import { assert, type Clock, silentLogger, silentMetrics, systemClock, systemRandom } from '../../base/index.ts'
import type { Entry, ResourceCache } from '../../cache/index.ts'
import { createGivenDefinitions, definitionsResource, type GivenDefinitions } from '../../crd/index.ts'
import { createEgress, type Egress } from '../../egress/index.ts'
import { createResources, type Resources } from '../../endpoints/index.ts'
import { type Registry } from '../../registry/index.ts'
import { createServedGroups } from '../../schema/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { servedGroups } from '../api/servedgroups.ts'
import { composeRegistry, composeTypes } from '../storage/storage.ts'
import { withTask } from './currenttask.ts'
import type {
  ItemTask,
  LoopMethods,
  RequestAnswer,
  RequestTask,
  SentDefinition,
  SentValue,
  ThreadData,
  ThreadMethods,
} from './messages.ts'
import { ThreadCall } from './threadcall.ts'
import { createRemoteAdmission, createRemoteAuthorizer, hookRemotely, type Loop } from './threadservices.ts'
import { createRemoteBacking } from './threadstore.ts'
import { type MessageEnd, WorkerChannel } from './workerchannel.ts'
import { parentProcess } from './workerprocess.ts'

class LargeWorkThread {
  readonly #loop: Loop
  readonly #resources: Resources
  readonly #registry: Registry
  readonly #definitions: GivenDefinitions
  readonly #aborts = new Map<number, AbortController>()
  readonly #known = new Map<string, SentValue>()
  /** The latest state of each definition, by its name. */
  readonly #defined = new Map<string, Promise<void>>()
  #clockAheadMs = 0

  constructor(port: MessageEnd, { settings, hooks }: ThreadData, egress: Egress) {
    this.#loop = new WorkerChannel<LoopMethods, ThreadMethods>(
      port,
      {
        request: (task) => this.#answer(task),
        abort: ({ id, reason }) => this.#aborts.get(id)?.abort(new Error(reason)),
        item: (task) => this.#item(task),
      },
      { givesAway: true },
    )
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + this.#clockAheadMs }
    const services = { clock, random: systemRandom, log: silentLogger, metrics: silentMetrics }
    const gate = (name: string): boolean => settings.gates[name] === true
    const { kinds, scheme } = composeTypes(settings, gate)
    const backing = createRemoteBacking(this.#loop, this.#known)
    this.#registry = composeRegistry(settings, services, { kinds, scheme, gate }, backing)
    hookRemotely(this.#registry, hooks, this.#loop)
    const served = createServedGroups(
      servedGroups({ scheme, log: silentLogger }, this.#registry, [], [], settings, gate),
    )
    this.#resources = createResources(
      {
        ...services,
        scheme,
        registry: this.#registry,
        admission: createRemoteAdmission(this.#loop),
        authorizer: createRemoteAuthorizer(this.#loop),
        ownership: createFieldOwnership(scheme.objects),
      },
      {
        served,
        minRequestTimeoutSeconds: settings.minRequestTimeoutMs / 1000,
        release: settings.emulation?.release,
        gate,
      },
    )
    this.#definitions = createGivenDefinitions({
      ...services,
      scheme,
      registry: this.#registry,
      resources: this.#resources,
      gate,
      resolve: (service) => this.#loop.call('resolve', service),
      egress,
    })
  }

  async #answer(task: RequestTask): Promise<RequestAnswer> {
    const { id, admits, entry, definition, nowMs } = task
    const abort = new AbortController()
    this.#aborts.set(id, abort)
    this.#clockAheadMs = nowMs - systemClock.now()
    if (entry) this.#known.set(entry.key, entry)
    try {
      return await withTask({ id, admits }, async () => {
        await this.#define(definition)
        const call = new ThreadCall(task, this.#loop, abort.signal)
        await this.#resources.handle(call)
        return call.responder.answer
      })
    } finally {
      this.#aborts.delete(id)
      if (entry && this.#known.get(entry.key) === entry) this.#known.delete(entry.key)
    }
  }

  async #item({ id, gvr, format, entry, definition }: ItemTask): Promise<Uint8Array> {
    await this.#define(definition)
    const endpoint = this.#resources.endpoint(gvr)
    assert(endpoint, 'the endpoint is the same on the event loop')
    const stored = this.#entryOf(endpoint.registry.cache, entry)
    return withTask({ id, admits: [] }, () => withConversions(() => stored.bytes(endpoint.item(format))))
  }

  /** Resolves when the definition's resource is served; if that fails, rejects for all of its requests. */
  async #define(sent: SentDefinition | undefined): Promise<void> {
    if (!sent) return
    const { name, value } = sent
    if (value) {
      const cache = this.#registry.resource(definitionsResource)?.cache
      assert(cache, 'definitions are stored')
      const entry = this.#entryOf(cache, value)
      const define = (): Promise<void> => this.#definitions.define(entry)
      // States of one definition are served one after the other.
      this.#defined.set(name, (this.#defined.get(name) ?? Promise.resolve()).then(define, define))
    }
    await this.#defined.get(name)
  }

  #entryOf(cache: ResourceCache, value: SentValue): Entry {
    this.#known.set(value.key, value)
    const entry = cache.peek(value.key)
    this.#known.delete(value.key)
    assert(entry, 'it is known')
    return entry
  }
}

/** Messages wait until the port has a listener. */
async function start(port: MessageEnd, given: ThreadData | Promise<ThreadData>): Promise<void> {
  const data = await given
  const dependencies = { clock: systemClock, random: systemRandom, metrics: silentMetrics }
  new LargeWorkThread(port, data, await createEgress(data.selections, dependencies))
}

const parent = parentPort ? { port: parentPort, data: workerData as ThreadData } : parentProcess()
assert(parent, 'a thread or a process of its own')
void start(parent.port, parent.data)
// A thread may be ended at any time, and the next one should find what this one has compiled.
nodeModule.flushCompileCache()
