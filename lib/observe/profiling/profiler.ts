import type { Profiler as CpuProfiler, HeapProfiler } from 'node:inspector'
import type { Session } from 'node:inspector/promises'
import type { Clock, Closable } from '../../base/index.ts'
import { encodePprof } from './pprof.ts'
import { cpuSamples, heapSamples } from './samples.ts'

/** Profiles of this process's CPU and memory. */
export interface Profiler extends Closable {
  /** Samples the CPU until `elapsed` resolves. Rejects with ProfilerBusy while another profile is taken. */
  cpu(elapsed: () => Promise<void>): Promise<CpuProfile>
  /**
   * The memory in use that was allocated since the first call; sampling ends a while after the last one. With
   * `elapsed`, only the memory allocated until it resolves.
   */
  heap(elapsed?: () => Promise<void>): Promise<HeapProfile>
}

interface CpuProfile {
  /** Gzipped profile.proto. */
  pprof(): Promise<Uint8Array>
  /** For Chrome's developer tools. */
  cpuprofile(): string
}

interface HeapProfile {
  pprof(): Promise<Uint8Array>
}

export class ProfilerBusy extends Error {
  constructor() {
    super('cpu profiling already in use')
  }
}

/** Sampling interval of the CPU, in microseconds. */
const cpuPeriod = 1000
/** Sampling interval of allocations, in bytes: twice Go's, for half its cost. */
const heapPeriod = 1024 * 1024
/** Sampling costs all requests, so it ends a while after the last profile. */
const heapSampledMs = 10 * 60_000

/** Loaded on first use: hardly any server is ever profiled. */
async function openSession(): Promise<Session> {
  const inspector = await import('node:inspector/promises')
  const session = new inspector.Session()
  session.connect()
  return session
}

/** V8 has one sampler of each kind for a process, so a process should have one profiler. */
export function createProfiler(clock: Clock): Profiler {
  let busy = false
  /** Allocations are sampled while this is connected. */
  let heapSession: Promise<Session> | undefined
  let heapEnd: Closable | undefined

  function openHeap(): Promise<Session> {
    heapSession ??= (async () => {
      const session = await openSession()
      await session.post('HeapProfiler.startSampling', { samplingInterval: heapPeriod })
      return session
    })()
    return heapSession
  }
  async function closeHeap(): Promise<void> {
    void heapEnd?.close()
    const session = heapSession
    heapSession = undefined
    ;(await session)?.disconnect()
  }
  async function allocations(): Promise<HeapProfiler.SamplingHeapProfile> {
    const session = await openHeap()
    void heapEnd?.close()
    heapEnd = clock.after(heapSampledMs, () => void closeHeap())
    return (await session.post('HeapProfiler.getSamplingProfile')).profile
  }

  return {
    async cpu(elapsed) {
      if (busy) throw new ProfilerBusy()
      busy = true
      let session: Session | undefined
      try {
        session = await openSession()
        await session.post('Profiler.enable')
        await session.post('Profiler.setSamplingInterval', { interval: cpuPeriod })
        const atMs = clock.now()
        await session.post('Profiler.start')
        await elapsed()
        const { profile } = await session.post('Profiler.stop')
        return { pprof: () => encodeCpu(profile, atMs), cpuprofile: () => JSON.stringify(profile) }
      } finally {
        session?.disconnect()
        busy = false
      }
    },
    async heap(elapsed) {
      const startMs = clock.now()
      const before = elapsed && (await allocations())
      await elapsed?.()
      const after = await allocations()
      return { pprof: () => encodeHeap(before, after, startMs, clock.now()) }
    },
    close: closeHeap,
  }
}

function encodeCpu(profile: CpuProfiler.Profile, atMs: number): Promise<Uint8Array> {
  return encodePprof(cpuSamples(profile), {
    sampleTypes: [
      ['samples', 'count'],
      ['cpu', 'nanoseconds'],
    ],
    shown: 'cpu',
    period: { type: 'cpu', unit: 'nanoseconds', value: cpuPeriod * 1000 },
    atMs,
    durationMs: (profile.endTime - profile.startTime) / 1000,
  })
}

function encodeHeap(
  before: HeapProfiler.SamplingHeapProfile | undefined,
  after: HeapProfiler.SamplingHeapProfile,
  startMs: number,
  endMs: number,
): Promise<Uint8Array> {
  return encodePprof([...(before ? heapSamples(before, -1) : []), ...heapSamples(after)], {
    sampleTypes: [['inuse_space', 'bytes']],
    shown: 'inuse_space',
    period: { type: 'space', unit: 'bytes', value: heapPeriod },
    atMs: startMs,
    durationMs: before ? endMs - startMs : 0,
  })
}
