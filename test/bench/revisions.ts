// `npm run bench -- --only=revisions [--revisions=1000000]`: whether an embedded store becomes slower with the writes that it
// has seen. Once with its history kept, and once compacted as a server does it: every tenth of the writes, to where it was
// a tenth before.
import { performance } from 'node:perf_hooks'
import { silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { asRevision, type Revision } from '../../lib/object/index.ts'
import { createEmbeddedStore, defragmentEmbeddedStore, type EmbeddedStore } from '../../lib/storage/index.ts'
import { scratchFolder } from '../support/apiserver.ts'

type Record = (name: string, cost: string, more: string) => void

const prefix = '/registry/configmaps/bench/'
const everything = { start: prefix, end: '/registry/configmaps/bench0' }
const keys = 10_000
const lanes = 64
const valueBytes = 300
const tenths = 10
const reads = 20_000

export async function benchRevisions(revisions: number, record: Record): Promise<void> {
  for (const [name, isCompacted] of [
    ['history kept', false],
    ['compacted', true],
  ] as const) {
    const folder = scratchFolder('revisions')
    const directory = `${folder.path}/store`
    const store = await createEmbeddedStore(
      { clock: systemClock, random: systemRandom, log: silentLogger },
      { directory, compactionIntervalMs: 0 },
    )
    const held = watchLoop()
    try {
      await benchStore(store, { name, revisions, isCompacted, held }, record)
    } finally {
      held.stop()
      await store.close()
    }
    const started = performance.now()
    const { bytesBefore, bytesAfter } = await defragmentEmbeddedStore({ random: systemRandom }, directory)
    const took = `${Math.round(performance.now() - started)} ms`
    record(`${name}: defragmented`, took, `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after`)
    folder.remove()
  }
}

interface Run {
  readonly name: string
  readonly revisions: number
  readonly isCompacted: boolean
  readonly held: LoopWatch
}

async function benchStore(store: EmbeddedStore, run: Run, record: Record): Promise<void> {
  const { name, revisions, isCompacted, held } = run
  const writer = new Writer(store)
  await writer.fill()
  const first = await store.currentRevision()
  let before = first
  let compactHeldMs = 0
  for (let tenth = 1; tenth <= tenths; tenth++) {
    const what = `${name}, ${(revisions * tenth) / tenths / 1e6} million revisions`
    held.longestMs()
    const writing = await measured(() => writer.write(revisions / tenths))
    const writeHeldMs = held.longestMs()
    const writes = revisions / tenths
    const getting = await measured(() => readKeys(store))
    const listing = await measured(() => store.range(everything).then(() => undefined))
    const bytes = (await store.members())[0]?.bytes ?? 0
    const parts = [
      `${Math.round(writes / (writing.ms / 1000))} writes/s`,
      `get ${((getting.cpuMs * 1000) / reads).toFixed(2)} µs`,
      `list ${listing.cpuMs.toFixed(0)} ms`,
      megabytes(bytes),
      `writes held the loop ${writeHeldMs.toFixed(0)} ms at most`,
    ]
    record(what, `${((writing.cpuMs * 1000) / writes).toFixed(2)} µs a write`, parts.join(', '))
    if (!isCompacted) continue
    const target = before
    before = await store.currentRevision()
    held.longestMs()
    await store.compact(target)
    compactHeldMs = Math.max(compactHeldMs, held.longestMs())
  }
  if (!isCompacted) await benchPast(store, name, first, held, record)
  held.longestMs()
  const compacting = await measured(async () => await store.compact(await store.currentRevision()))
  compactHeldMs = Math.max(compactHeldMs, held.longestMs())
  record(
    `${name}: compacted at last`,
    `${compacting.cpuMs.toFixed(0)} ms`,
    `${compacting.ms.toFixed(0)} ms elapsed, loop held ${compactHeldMs.toFixed(0)} ms at most`,
  )
}

/** The oldest state, with all of the history above it. */
async function benchPast(
  store: EmbeddedStore,
  name: string,
  revision: Revision,
  held: LoopWatch,
  record: Record,
): Promise<void> {
  held.longestMs()
  for (const [what, read] of [
    ['list', () => store.range({ ...everything, limit: 500, revision })],
    ['next page', () => store.range({ ...everything, start: `${prefix}2`, limit: 500, revision })],
    ['get', () => store.get(keyOf(7), { revision })],
  ] as const) {
    const { cpuMs } = await measured(async () => void (await read()))
    record(
      `${name}: ${what} at the first revision`,
      `${cpuMs.toFixed(0)} ms`,
      `loop held ${held.longestMs().toFixed(0)} ms`,
    )
  }
}

async function readKeys(store: EmbeddedStore): Promise<void> {
  for (let at = 0; at < reads; at++) await store.get(keyOf((at * 7919) % keys))
}

class Writer {
  readonly #store: EmbeddedStore
  readonly #revisions: Revision[] = Array.from({ length: keys }, () => asRevision(0))
  readonly #value = Buffer.alloc(valueBytes, 'x')
  #next = 0

  constructor(store: EmbeddedStore) {
    this.#store = store
  }

  async fill(): Promise<void> {
    await Promise.all(
      this.#revisions.map(async (_, at) => {
        this.#revisions[at] = (await this.#store.create(keyOf(at), this.#value)).revision
      }),
    )
  }

  /** Each lane has keys of its own. */
  async write(count: number): Promise<void> {
    const end = this.#next + count
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const own = Math.floor(keys / lanes)
        while (this.#next < end) {
          const at = lane * own + ((this.#next++ * 31) % own)
          const expected = this.#revisions[at] ?? asRevision(0)
          const { ok, revision } = await this.#store.update(keyOf(at), this.#value, expected)
          if (!ok) throw new Error(`${keyOf(at)} was not written`)
          this.#revisions[at] = revision
        }
      }),
    )
  }
}

function keyOf(at: number): string {
  return `${prefix}${String(at).padStart(6, '0')}`
}

interface LoopWatch {
  /** The longest that a timer was late since the last call, in ms. */
  longestMs(): number
  stop(): void
}

function watchLoop(): LoopWatch {
  const periodMs = 5
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - periodMs)
    last = now
  }, periodMs)
  return {
    longestMs() {
      const found = longest
      longest = 0
      return found
    },
    stop: () => clearInterval(timer),
  }
}

async function measured(work: () => Promise<void>): Promise<{ ms: number; cpuMs: number }> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await work()
  // A loop that was held reports it now.
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  await systemClock.sleep(20)
  return { ms, cpuMs: (user + system) / 1000 }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
