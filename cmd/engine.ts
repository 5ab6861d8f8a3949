import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Beyond this the space for young objects costs memory and saves little. */
const youngBytesMax = 8 * 1024 * 1024

/**
 * Settings of the JavaScript engine for a server that shares few cores with others (figures in
 * hack/decisions/2026-11-21-engine.md): young objects are collected by the thread that made them, as helpers mostly wait
 * for each other; and the space for young objects stops growing at a size where it still costs little memory.
 */
export function tuneEngine(): void {
  setFlagsFromString('--no-parallel-scavenge')
  // V8 has no setting of this size that works after its start, but it asks for the factor each time it grows the space.
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    if ((young?.space_size ?? 0) < youngBytesMax) return
    setFlagsFromString('--semi-space-growth-factor=1')
    observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}
