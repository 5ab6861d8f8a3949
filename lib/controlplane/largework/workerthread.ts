import type { Admission } from '../../admission/index.ts'
import type { Authorizer } from '../../authz/index.ts'
import type { Clock } from '../../base/index.ts'
import type { ResolveService } from '../../client/index.ts'
import type { Endpoint } from '../../endpoints/index.ts'
import { type GroupResource, StatusError, statusErrors } from '../../object/index.ts'
import type { EndAllocation, Registry, ResourceHooks, WriteContext } from '../../registry/index.ts'
import type { Call } from '../../request/index.ts'
import type { Store, WriteResult } from '../../storage/index.ts'
import type {
  HookCall,
  ItemTask,
  LoopMethods,
  RequestAnswer,
  RequestTask,
  SentWrite,
  ThreadData,
  ThreadMethods,
} from './messages.ts'
import { RemoteAttributes } from './remoteattributes.ts'
import { sendError } from './senterror.ts'
import { receiveObject, sendObject, sendValue } from './sentobject.ts'
import { type LargeWorker, startWorker } from './startworker.ts'
import { WorkerChannel } from './workerchannel.ts'

/** Services of the event loop for its threads. */
export interface LoopServices {
  readonly clock: Clock
  readonly admission: Admission
  readonly authorizer: Authorizer
  readonly registry: Registry
  readonly resolve: ResolveService
  storeOf(resource: GroupResource): Store
}

/** Memory of a thread's objects: the largest bodies take a third of it. */
const heapMegabytesMax = 1024
/** A thread that has not answered for this time is ended with all its tasks. */
const silentMsMax = 30_000
const looksMs = 1_000

interface Task {
  readonly call: Call
  readonly endpoint: Endpoint
  endAllocation: EndAllocation | undefined
}

/** One thread, from the event loop's side. */
export class WorkerThread {
  readonly #services: LoopServices
  readonly #worker: LargeWorker
  readonly #channel: WorkerChannel<ThreadMethods, LoopMethods>
  readonly #tasks = new Map<number, Task>()
  /** Revisions of the definitions that the thread has. */
  readonly #definitions = new Map<string, number>()
  readonly #onEnd: (thread: WorkerThread) => void
  readonly #watching: { close(): void | Promise<void> }
  #running = 0
  #heardMs: number
  #hasEnded = false

  /** `onEnd`: called once, when it accepts no more tasks. */
  constructor(program: URL, data: ThreadData, services: LoopServices, onEnd: (thread: WorkerThread) => void) {
    this.#services = services
    this.#onEnd = onEnd
    this.#worker = startWorker(program, data, heapMegabytesMax)
    this.#worker.unref()
    this.#channel = new WorkerChannel(this.#worker, this.#handlers())
    this.#worker.on('error', (error) => this.#end(failureOf(error)))
    this.#worker.on('exit', () => this.#end(new Error('the thread ended')))
    this.#heardMs = services.clock.monotonicMs()
    this.#worker.on('message', () => (this.#heardMs = services.clock.monotonicMs()))
    this.#watching = services.clock.every(looksMs, () => this.#look())
  }

  /** Number of tasks in progress. */
  get running(): number {
    return this.#running
  }

  /** Whether the thread has the definition in this state; from now on it counts as having it. */
  knows(definition: string, revision: number): boolean {
    if (this.#definitions.get(definition) === revision) return true
    this.#definitions.set(definition, revision)
    return false
  }

  /** Rejects as the request's handler would, and with 504 when the thread was silent for too long. */
  async request(task: RequestTask, call: Call, endpoint: Endpoint): Promise<RequestAnswer> {
    this.#tasks.set(task.id, { call, endpoint, endAllocation: undefined })
    const abort = (): void => this.#channel.notify('abort', { id: task.id, reason: String(call.signal.reason) })
    call.signal.addEventListener('abort', abort, { once: true })
    try {
      return await this.#run(() => this.#channel.call('request', task))
    } catch (error) {
      call.signal.throwIfAborted()
      throw error
    } finally {
      call.signal.removeEventListener('abort', abort)
      this.#tasks.delete(task.id)
    }
  }

  item(task: ItemTask): Promise<Uint8Array> {
    return this.#run(() => this.#channel.call('item', task))
  }

  async close(): Promise<void> {
    this.#end(new Error('the server stops'))
    await this.#worker.terminate()
  }

  async #run<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw new Error('the thread ended')
    if (this.#running++ === 0) this.#heardMs = this.#services.clock.monotonicMs()
    try {
      return await run()
    } finally {
      this.#running--
    }
  }

  #look(): void {
    const silentMs = this.#services.clock.monotonicMs() - this.#heardMs
    if (this.#running === 0 || silentMs < silentMsMax) return
    this.#end(statusErrors.timeout('processing a large object takes too long', 1))
    void this.#worker.terminate()
  }

  #end(error: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    void this.#watching.close()
    this.#onEnd(this)
    this.#channel.fail(error)
  }

  #taskOf({ task }: { readonly task: number }): Task {
    const found = this.#tasks.get(task)
    // The client has left: the rest of its request must change nothing.
    if (!found) throw new Error('the request is over')
    return found
  }

  #storeOf(of: { readonly task: number }): { store: Store; signal: AbortSignal } {
    const { endpoint, call } = this.#taskOf(of)
    return { store: this.#services.storeOf(endpoint.registry.definition.gvr), signal: call.signal }
  }

  #handlers(): ConstructorParameters<typeof WorkerChannel<ThreadMethods, LoopMethods>>[1] {
    const { admission, authorizer, resolve } = this.#services
    return {
      'store.get': async (of) => {
        const { store, signal } = this.#storeOf(of)
        const { value, revision } = await store.get(of.key, { signal })
        return { value: value && sendValue(value), revision }
      },
      'store.create': async (of) => {
        const { store, signal } = this.#storeOf(of)
        return sendResult(await store.create(of.key, of.value, { signal, ttlSeconds: of.ttlSeconds }))
      },
      'store.update': async (of) => {
        const { store, signal } = this.#storeOf(of)
        return sendResult(await store.update(of.key, of.value, of.expected, { signal, ttlSeconds: of.ttlSeconds }))
      },
      'store.delete': async (of) => {
        const { store, signal } = this.#storeOf(of)
        return sendResult(await store.delete(of.key, of.expected, { signal }))
      },
      admit: async (request) => {
        const attributes = new RemoteAttributes(request, this.#taskOf(request).call)
        if (request.phase === 'validate') {
          await admission.validate(attributes)
          return undefined
        }
        await admission.mutate(attributes)
        return attributes.seenObject && sendObject(attributes.seenObject)
      },
      authorize: async (of) => {
        const { decision, reason, error } = await authorizer.authorize(of.attributes, this.#taskOf(of).call)
        return { decision, reason, error: error && sendError(error) }
      },
      'hook.allocate': async (hook) => {
        const task = this.#taskOf(hook)
        const { object, old, hooks, context } = this.#hookOf(hook)
        task.endAllocation = await hooks.allocate?.(object, old, context)
        return { object: sendObject(object), allocates: task.endAllocation !== undefined }
      },
      'hook.endAllocation': (of) => this.#taskOf(of).endAllocation?.(of.isStored),
      'hook.authorize': async (hook) => {
        const { object, old, hooks, context } = this.#hookOf(hook)
        return (await hooks.authorize?.(object, old, context)) ?? []
      },
      'hook.afterUpdate': (hook) => {
        const { object, old, hooks } = this.#hookOf(hook)
        if (old) hooks.afterUpdate?.(object, old)
      },
      'hook.afterDelete': async (hook) => {
        const { object, hooks, context } = this.#hookOf(hook)
        await hooks.afterDelete?.(object, context)
      },
      warn: (of) => this.#tasks.get(of.task)?.call.warnings.add(of.text),
      annotate: (of) => this.#tasks.get(of.task)?.call.audit.annotate(of.key, of.value),
      audit: (of) => this.#tasks.get(of.task)?.call.audit.request?.(receiveObject(of.object)),
      step: (of) => this.#tasks.get(of.task)?.call.step?.(of.name, of.about),
      resolve,
    }
  }

  #hookOf(hook: HookCall): {
    object: ReturnType<typeof receiveObject>
    old: ReturnType<typeof receiveObject> | undefined
    hooks: ResourceHooks
    context: WriteContext
  } {
    const { user, info, warnings, signal } = this.#taskOf(hook).call
    return {
      object: receiveObject(hook.object),
      old: hook.old && receiveObject(hook.old),
      hooks: this.#services.registry.resource(hook.resource)?.hooks ?? {},
      context: { user, verb: info.verb, dryRun: hook.dryRun, signal, warn: (text) => warnings.add(text) },
    }
  }
}

function sendResult(result: WriteResult): SentWrite {
  return result.ok
    ? result
    : { ok: false, revision: result.revision, current: result.current && sendValue(result.current) }
}

function failureOf(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new StatusError(413, 'RequestEntityTooLarge', 'processing this object takes too much memory')
  return error instanceof Error ? error : new Error(String(error))
}
