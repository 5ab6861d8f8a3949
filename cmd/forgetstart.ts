import { getHeapStatistics } from 'node:v8'
import type { Clock, Closable } from '../lib/base/index.ts'
import { smallHeapMiB } from './engine.ts'

/** The memory of V8, and its collection. */
interface Heap {
  bytes(): number
  collect(): void
}

const heapOfProcess: Heap = {
  // process.memoryUsage fails where /proc is not mounted.
  bytes() {
    const { used_heap_size: heapBytes, external_memory: otherBytes } = getHeapStatistics()
    return heapBytes + otherBytes
  },
  collect: () => globalThis.gc?.({ type: 'major', flavor: 'last-resort' }),
}

/**
 * Releases the memory that only the start needed. V8 would keep it until the first collection of the whole heap, which
 * an idle server may never run. A large heap is left alone, since collecting it would delay the server.
 */
export function forgetStart(heap: Heap = heapOfProcess): void {
  if (heap.bytes() < smallHeapMiB * 1024 * 1024) heap.collect()
}

const periodMs = 30_000
/** Leases and probes take less of the CPU. */
const quietShare = 0.02
/** Less garbage is left where it is. */
const grownShare = 1.2

/**
 * Forgets the start, and releases the garbage of a burst of work once half a minute was quiet: V8 collects it only when the
 * heap grows further.
 */
export function forgetWhenQuiet(clock: Clock, heap: Heap = heapOfProcess): Closable {
  forgetStart(heap)
  let settledBytes = heap.bytes()
  let cpuMs = clock.threadCpuMs()
  return clock.every(periodMs, () => {
    const beforeMs = cpuMs
    cpuMs = clock.threadCpuMs()
    if (cpuMs - beforeMs > quietShare * periodMs || heap.bytes() < grownShare * settledBytes) return
    forgetStart(heap)
    settledBytes = heap.bytes()
  })
}
