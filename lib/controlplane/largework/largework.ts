import { availableParallelism } from 'node:os'
import type { AdmissionOperation } from '../../admission/index.ts'
import { type Closable, inOwnMemory, type Metrics } from '../../base/index.ts'
import type { Entry } from '../../cache/index.ts'
import { parseOwnObject } from '../../codec/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { Endpoint, LargeWork } from '../../endpoints/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { Call, Format } from '../../request/index.ts'
import type { ApiSettings } from '../apisettings.ts'
import { FairQueue } from './fairqueue.ts'
import type { HookName, RequestAnswer, SentDefinition, SentValue, ThreadData } from './messages.ts'
import { threadProgram } from './threadprogram.ts'
import { type LoopServices, WorkerThread } from './workerthread.ts'

interface LargeWorkServices extends LoopServices {
  readonly metrics: Metrics
  readonly egress: Egress
  /** Processes that share the processors. Default 1. */
  readonly processes?: number | undefined
  /** The program of the threads; default: the sources, or their bundle where this program is bundled. */
  readonly program?: URL
}

/** One processor is left to the event loop of each process. */
function threadsOf(processes: number): number {
  return Math.max(1, Math.min(4, Math.floor(availableParallelism() / processes) - 1))
}

/** Concurrent tasks of one thread: some wait for the store or for webhooks while others compute. */
const tasksPerThread = 4
/** Maximum number of tasks of all users that wait for a thread; more are answered 429. */
const waitingMax = 200
/** A thread without work is ended after this time: it takes some 70 MB. */
const idleMs = 60_000

const hookNames: readonly HookName[] = ['allocate', 'authorize', 'afterUpdate', 'afterDelete']
const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE']

/** Threads with the whole API machinery, started when the first large object arrives. */
export function createLargeWork(settings: ApiSettings, services: LargeWorkServices): LargeWork & Closable {
  return new Threads(settings, services)
}

class Threads implements LargeWork {
  readonly #settings: ApiSettings
  readonly #services: LargeWorkServices
  readonly #threadsMax: number
  readonly #threads = new Set<WorkerThread>()
  readonly #queue = new FairQueue<(thread: WorkerThread) => void>(waitingMax)
  readonly #tasks: ReturnType<Metrics['counter']>
  #idle: Closable | undefined
  #lastId = 0
  #isClosed = false

  constructor(settings: ApiSettings, services: LargeWorkServices) {
    this.#settings = settings
    this.#services = services
    const { metrics, processes = 1 } = services
    this.#threadsMax = threadsOf(processes)
    this.#tasks = metrics.counter({
      name: 'pilothouse_large_work_tasks_total',
      help: 'Work on large objects in threads, by kind and whether it failed.',
      labels: ['type', 'failed'],
      stability: 'ALPHA',
    })
    metrics
      .gauge({
        name: 'pilothouse_large_work_threads',
        help: 'Threads for large objects that are running.',
        across: 'sum',
        stability: 'ALPHA',
      })
      .collect(() => [{ labels: [], value: this.#threads.size }])
    metrics
      .gauge({
        name: 'pilothouse_large_work_waiting',
        help: 'Work on large objects that waits for a thread.',
        across: 'sum',
        stability: 'ALPHA',
      })
      .collect(() => [{ labels: [], value: this.#queue.size }])
  }

  async handle(call: Call, endpoint: Endpoint, given?: Entry): Promise<void> {
    const body = await call.body()
    const answer = await this.#run('request', call.user.name, call.signal, (thread) => {
      const { namespace, name, verb } = call.info
      const { registry } = endpoint
      const entry = verb === 'create' ? undefined : (given ?? registry.cache.peek(registry.target(namespace, name).key))
      const task = {
        id: ++this.#lastId,
        method: call.method,
        url: call.url,
        path: call.path,
        query: call.query.toString(),
        headers: headersOf(call),
        remoteAddress: call.remoteAddress,
        httpVersion: call.httpVersion,
        info: call.info,
        user: call.user,
        receivedAtMs: call.receivedAtMs,
        auditId: call.auditId,
        audits: call.audit.request !== undefined,
        body,
        entry: entry && sendEntry(entry),
        admits: operations.filter((operation) => this.#services.admission.handles(operation)),
        definition: definitionFor(thread, endpoint),
        nowMs: this.#services.clock.now(),
      }
      return thread.request(task, call, endpoint)
    })
    return respond(call, answer)
  }

  item(endpoint: Endpoint, entry: Entry, format: Format): Promise<Uint8Array> {
    const { gvr } = endpoint
    return this.#run('item', '', undefined, (thread) =>
      thread.item({
        id: ++this.#lastId,
        gvr,
        format,
        entry: sendEntry(entry),
        definition: definitionFor(thread, endpoint),
      }),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    void this.#idle?.close()
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  /** Runs `work` with a thread that has capacity, in the user's turn. */
  async #run<Result>(
    type: string,
    user: string,
    signal: AbortSignal | undefined,
    work: (thread: WorkerThread) => Promise<Result>,
  ): Promise<Result> {
    const thread = this.#free() ?? (await this.#turnOf(user, signal))
    try {
      const result = await work(thread)
      this.#tasks.add([type, 'false'])
      return result
    } catch (error) {
      this.#tasks.add([type, 'true'])
      throw error
    } finally {
      this.#next()
    }
  }

  #turnOf(user: string, signal: AbortSignal | undefined): Promise<WorkerThread> {
    return new Promise((resolve, reject) => {
      const leave = this.#queue.add(user, (thread) => {
        signal?.removeEventListener('abort', abort)
        resolve(thread)
      })
      if (!leave) return reject(statusErrors.tooManyRequests('too many requests about large objects at a time', 1))
      const abort = (): void => {
        leave()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** The least busy thread with capacity; a new one while more are allowed. */
  #free(): WorkerThread | undefined {
    if (this.#isClosed) throw new Error('the server stops')
    void this.#idle?.close()
    const [least] = [...this.#threads].sort((a, b) => a.running - b.running)
    if (least && least.running === 0) return least
    if (this.#threads.size < this.#threadsMax) return this.#start()
    return least && least.running < tasksPerThread ? least : undefined
  }

  #start(): WorkerThread {
    const { registry } = this.#services
    const hooks = registry.resources.flatMap(({ definition, hooks: installed }) =>
      installed ? [{ resource: definition.gvr, names: hookNames.filter((name) => installed[name] !== undefined) }] : [],
    )
    const data: ThreadData = { settings: this.#settings, selections: this.#services.egress.selections, hooks }
    const thread = new WorkerThread(this.#services.program ?? threadProgram, data, this.#services, (ended) =>
      this.#threads.delete(ended),
    )
    this.#threads.add(thread)
    return thread
  }

  /** A task has ended: the next one starts. */
  #next(): void {
    if (this.#isClosed) return
    if (this.#queue.size > 0) {
      const thread = this.#free()
      if (thread) this.#queue.take()?.(thread)
      return
    }
    if ([...this.#threads].some(({ running }) => running > 0)) return
    this.#idle = this.#services.clock.after(idleMs, () => {
      for (const thread of this.#threads) void thread.close()
    })
  }
}

/** The headers that handlers read: a thread needs no credentials. */
function headersOf({ headers }: Call): Call['headers'] {
  const { accept, 'content-type': type, 'user-agent': agent } = headers
  return { accept, 'content-type': type, 'user-agent': agent }
}

function sendEntry({ key, stored, revision, createRevision, isStoredOtherwise }: Entry): SentValue {
  // A message would carry all of the memory that the bytes are part of.
  return { key, value: inOwnMemory(stored), modRevision: revision, createRevision, stale: isStoredOtherwise }
}

function definitionFor(thread: WorkerThread, { definedBy, gvr }: Endpoint): SentDefinition | undefined {
  const entry = definedBy?.()
  if (!entry) return undefined
  const about = { name: `${gvr.resource}.${gvr.group}`, revision: entry.revision }
  return thread.knows(about.name, about.revision) ? about : { ...about, value: sendEntry(entry) }
}

function respond(call: Call, { status, headers, body }: RequestAnswer): void | Promise<void> {
  if (!call.objects) return call.responder.send(status, headers, body)
  // A client in this process gets an object.
  call.objects.answer(status, parseOwnObject(Buffer.concat(body)))
}
