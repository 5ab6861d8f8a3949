import { getHeapStatistics } from 'node:v8'
import { smallHeapMiB } from './engine.ts'

/**
 * Releases the memory that only the start needed. V8 would keep it until the first collection of the whole heap, which
 * an idle server may never run. A large heap is left alone, since collecting it would delay the server.
 */
export function forgetStart(): void {
  // process.memoryUsage fails where /proc is not mounted.
  const { used_heap_size: heapBytes, external_memory: otherBytes } = getHeapStatistics()
  if (heapBytes + otherBytes < smallHeapMiB * 1024 * 1024) globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
}
