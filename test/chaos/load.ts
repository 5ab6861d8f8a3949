import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom, type Random } from '../../lib/base/index.ts'
import type { Identity } from '../support/identity.ts'
import { type Answer, Client, NotSent } from './client.ts'
import type { History, ListRead, Operation, SeenEvent, WatchedSpan } from './history.ts'

/** The servers, and what is asked of them. */
export interface LoadOptions {
  /** Writers take them in turn, watchers too. */
  readonly urls: readonly string[]
  /** It is made, and must not have been used before. */
  readonly namespace: string
  readonly identity: Identity
  readonly seed: number
  readonly writers: number
  readonly watchers: number
  readonly keys: number
}

export interface Counts {
  acknowledged: number
  unknown: number
  refused: number
  reads: number
  lists: number
  events: number
  reconnects: number
  /** Watches that had to list again. */
  expired: number
  /** The longest time without an acknowledged write. */
  longestGapMs: number
}

const prefix = 'k-'
/** Written when all else is done: every watcher has to see it. */
const endKey = `${prefix}end`
const silentMsMax = 12_000

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly data?: { readonly value?: string }
}

/** Writers and watchers of one namespace, and all that they did and saw. */
export class Load {
  readonly operations: Operation[] = []
  readonly lists: ListRead[] = []
  readonly counts: Counts = {
    acknowledged: 0,
    unknown: 0,
    refused: 0,
    reads: 0,
    lists: 0,
    events: 0,
    reconnects: 0,
    expired: 0,
    longestGapMs: 0,
  }
  /** Answers that no fault excuses. */
  readonly odd: string[] = []
  readonly #options: LoadOptions
  readonly #path: string
  readonly #stopping = new AbortController()
  readonly #writers: Promise<void>[]
  readonly #watchers: Watcher[]
  #lastWriteMs = performance.now()

  private constructor(options: LoadOptions, from: number) {
    this.#options = options
    this.#path = pathOf(options)
    const urlAt = (index: number): string => options.urls[index % options.urls.length] ?? ''
    this.#watchers = Array.from(
      { length: options.watchers },
      (_, index) =>
        new Watcher(`watcher ${index}`, new Client(urlAt(index), options.identity), this.#path, from, this.counts),
    )
    this.#writers = Array.from({ length: options.writers }, (_, index) => this.#work(index, urlAt(index)))
  }

  static async start(options: LoadOptions): Promise<Load> {
    const client = new Client(options.urls[0] ?? '', options.identity)
    for (const url of new Set(options.urls)) await untilAllowed(url, options.identity)
    const made = await client.ask('POST', '/api/v1/namespaces', { metadata: { name: options.namespace } })
    if (made.status !== 201) throw new Error(`the namespace ${options.namespace} could not be made: ${made.status}`)
    const { body } = await client.ask('GET', pathOf(options))
    client.close()
    return new Load(options, Number(body.metadata.resourceVersion))
  }

  /** Writers end; watchers go on until they have seen the last state. Rejects after `waitMs`. */
  async stop(waitMs: number): Promise<History> {
    this.#stopping.abort()
    await Promise.all(this.#writers)
    this.#noteGap()
    const client = new Client(this.#options.urls[0] ?? '', this.#options.identity)
    const last = await this.#lastList(client, waitMs)
    client.close()
    const newest = last.items.get(endKey)?.revision ?? 0
    const endMs = performance.now() + waitMs
    for (const watcher of this.#watchers)
      while (watcher.upTo < newest) {
        if (performance.now() > endMs)
          throw new Error(`${watcher.name} was told of everything up to ${watcher.upTo} only, of ${newest}`)
        await sleep(100)
      }
    this.abandon()
    return { operations: this.operations, lists: this.lists, spans: this.#watchers.flatMap(({ spans }) => spans) }
  }

  /** Ends everything at once. */
  abandon(): void {
    this.#stopping.abort()
    for (const watcher of this.#watchers) watcher.close()
  }

  /** A write that all watchers see behind everything else, and a list after it. */
  async #lastList(client: Client, waitMs: number): Promise<ListRead> {
    for (const endMs = performance.now() + waitMs; performance.now() < endMs; await sleep(200)) {
      await this.#create(client, endKey, `end-${performance.now()}`)
      const list = await this.#list(client)
      if (list?.items.has(endKey)) return list
    }
    throw new Error('nothing can be written after the faults')
  }

  async #work(index: number, url: string): Promise<void> {
    const client = new Client(url, this.#options.identity)
    const random = createSeededRandom(this.#options.seed * 1000 + index)
    const known = new Map<string, number>()
    for (let step = 0; !this.#stopping.signal.aborted; step++) {
      const key = `${prefix}${Math.floor(random.fraction() * this.#options.keys)}`
      await this.#step(client, key, `w${index}-${step}`, known, random)
      await sleep(random.fraction() * 10)
    }
    client.close()
  }

  /** `known`: the revisions of what this writer believes to be there. */
  async #step(client: Client, key: string, value: string, known: Map<string, number>, random: Random): Promise<void> {
    const choice = random.fraction()
    if (choice < 0.02) return void (await this.#list(client))
    const expected = known.get(key)
    if (choice < 0.3 || (expected !== undefined && choice < 0.5)) {
      const read = await this.#get(client, key)
      if (read?.outcome === 'done' && read.revision !== undefined) known.set(key, read.revision)
      else if (read) known.delete(key)
      return
    }
    const write =
      expected === undefined
        ? await this.#create(client, key, value)
        : choice < 0.9
          ? await this.#update(client, key, value, expected)
          : await this.#delete(client, key, expected)
    if (write?.outcome === 'done' && write.revision !== undefined) known.set(key, write.revision)
    else known.delete(key)
  }

  async #get(client: Client, key: string): Promise<Operation | undefined> {
    this.counts.reads++
    return await this.#operate({ key, action: 'get' }, () => client.ask('GET', `${this.#path}/${key}`), 200)
  }

  async #create(client: Client, key: string, value: string): Promise<Operation | undefined> {
    const body = { metadata: { name: key }, data: { value } }
    return await this.#operate({ key, action: 'create', value }, () => client.ask('POST', this.#path, body), 201)
  }

  async #update(client: Client, key: string, value: string, expected: number): Promise<Operation | undefined> {
    const body = { metadata: { name: key, resourceVersion: String(expected) }, data: { value } }
    return await this.#operate(
      { key, action: 'update', value, expected },
      () => client.ask('PUT', `${this.#path}/${key}`, body),
      200,
    )
  }

  async #delete(client: Client, key: string, expected: number): Promise<Operation | undefined> {
    const body = { preconditions: { resourceVersion: String(expected) } }
    return await this.#operate(
      { key, action: 'delete', expected },
      () => client.ask('DELETE', `${this.#path}/${key}`, body),
      200,
    )
  }

  /** Undefined: nothing was asked for, or the answer shows no read. */
  async #operate(
    about: Pick<Operation, 'key' | 'action' | 'value' | 'expected'>,
    ask: () => Promise<Answer>,
    good: number,
  ): Promise<Operation | undefined> {
    const invokedMs = performance.now()
    const answer = await ask().catch((error: unknown) => (error instanceof NotSent ? 'not sent' : undefined))
    if (answer === 'not sent') {
      await sleep(100)
      return undefined
    }
    const answeredMs = performance.now()
    const outcome = outcomeOf(answer, good)
    if (outcome === 'odd')
      this.odd.push(`${about.action} ${about.key}: ${answer?.status} ${JSON.stringify(answer?.body)}`.slice(0, 500))
    if (outcome === 'not done' || outcome === 'odd' || (about.action === 'get' && outcome === 'unknown'))
      return undefined
    this.#count(outcome, about.action)
    const operation: Operation = {
      ...about,
      invokedMs,
      // What has no answer may be done at any time from now on.
      answeredMs: outcome === 'unknown' ? Infinity : answeredMs,
      outcome,
      ...(outcome === 'done' && about.action !== 'delete' ? stateOf(answer?.body as Item) : {}),
    }
    this.operations.push(operation)
    return operation
  }

  #count(outcome: Operation['outcome'], action: Operation['action']): void {
    if (action === 'get') return
    if (outcome === 'unknown') this.counts.unknown++
    else if (outcome !== 'done') this.counts.refused++
    else {
      this.counts.acknowledged++
      this.#noteGap()
    }
  }

  #noteGap(): void {
    const now = performance.now()
    this.counts.longestGapMs = Math.max(this.counts.longestGapMs, now - this.#lastWriteMs)
    this.#lastWriteMs = now
  }

  async #list(client: Client): Promise<ListRead | undefined> {
    const invokedMs = performance.now()
    const answer = await client.ask('GET', this.#path).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    this.counts.lists++
    const { metadata, items } = answer.body as { metadata: { resourceVersion: string }; items: Item[] }
    const list = {
      invokedMs,
      answeredMs: performance.now(),
      revision: Number(metadata.resourceVersion),
      items: itemsOf(items),
    }
    this.lists.push(list)
    return list
  }
}

const pathOf = ({ namespace }: LoadOptions): string => `/api/v1/namespaces/${namespace}/configmaps`

function itemsOf(items: readonly Item[]): ListRead['items'] {
  return new Map(
    items.filter(({ metadata }) => metadata.name.startsWith(prefix)).map((item) => [item.metadata.name, stateOf(item)]),
  )
}

function stateOf({ metadata, data }: Item): { value: string; revision: number } {
  return { value: data?.value ?? '', revision: Number(metadata.resourceVersion) }
}

function outcomeOf(answer: Answer | undefined, good: number): Operation['outcome'] | 'not done' | 'odd' {
  const status = answer?.status ?? 0
  if (status === good) return 'done'
  if (status === 0 || status >= 500) return 'unknown'
  if (status === 429) return 'not done'
  if (status === 404) return 'absent'
  if (status === 409) return answer?.body?.reason === 'AlreadyExists' ? 'exists' : 'conflict'
  return 'odd'
}

/** Follows the namespace, and goes on where it was when its watch ends. */
class Watcher {
  readonly name: string
  readonly spans: WatchedSpan[] = []
  readonly #client: Client
  readonly #path: string
  readonly #counts: Counts
  #events: SeenEvent[] = []
  #from: number
  #upTo: number
  #isClosing = false
  #end: () => void = () => {}

  constructor(name: string, client: Client, path: string, from: number, counts: Counts) {
    this.name = name
    this.#client = client
    this.#path = path
    this.#counts = counts
    this.#from = this.#upTo = from
    void this.#follow()
  }

  get upTo(): number {
    return this.#upTo
  }

  close(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#end()
    this.#closeSpan()
    this.#client.close()
  }

  #closeSpan(): void {
    this.spans.push({ name: this.name, from: this.#from, events: this.#events, upTo: this.#upTo })
    this.#events = []
  }

  async #follow(): Promise<void> {
    while (!this.#isClosing) {
      const isExpired = await this.#watch()
      if (this.#isClosing) return
      this.#counts.reconnects++
      if (isExpired) await this.#listAgain()
      await sleep(100)
    }
  }

  async #listAgain(): Promise<void> {
    this.#counts.expired++
    const answer = await this.#client.ask('GET', `${this.#path}?limit=1`).catch(() => undefined)
    if (answer?.status !== 200) return
    this.#closeSpan()
    this.#from = this.#upTo = Number(answer.body.metadata.resourceVersion)
  }

  /** Resolves at its end; true: it has to list again. */
  async #watch(): Promise<boolean> {
    let isExpired = false
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.#upTo}`
    const status = await new Promise<number>((resolve) => {
      this.#end = this.#client.stream(
        `${this.#path}?${query}`,
        {
          line: (text) => {
            if (text !== '' && this.#take(text)) isExpired = true
          },
          end: resolve,
        },
        silentMsMax,
      )
    })
    return isExpired || status === 410
  }

  #take(line: string): boolean {
    const { type, object } = JSON.parse(line) as { type: string; object: Item & { code?: number } }
    if (type === 'ERROR') return object.code === 410
    const { revision, value } = stateOf(object)
    if (type !== 'BOOKMARK' && object.metadata.name.startsWith(prefix)) {
      this.#counts.events++
      const { name: key } = object.metadata
      this.#events.push({ type: type as SeenEvent['type'], key, value, revision, atMs: performance.now() })
    }
    this.#upTo = Math.max(this.#upTo, revision)
    return false
  }
}

/** The rights of the administrators were given through one replica, and the others see them a moment later. */
async function untilAllowed(url: string, identity: Identity): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const client = new Client(url, identity)
    const { status } = await client.ask('GET', '/api/v1/namespaces/default')
    client.close()
    if (status !== 403) return
    await sleep(100)
  }
}
