import type { ApiserverConfig } from '../../../lib/controlplane/index.ts'
import { defaultServerOptions } from '../../../lib/server/index.ts'
import type { Place } from './messages.ts'

/**
 * The part of one process in the configuration of its server: limits that are the server's are divided, and what only one
 * may do is done by the first.
 */
export function shareOf({ index, count, runId, port }: Place): (config: ApiserverConfig) => ApiserverConfig {
  const isFirst = index === 0
  /** 0 is no limit. */
  const part = (limit: number): number => Math.ceil(limit / count)
  return (config) => {
    const { maxRequestsInFlight, maxMutatingRequestsInFlight, shutdownWatchGracePeriodMs } = {
      ...defaultServerOptions,
      ...config.server,
    }
    const { caching, audit, mirrors, debugSocketPath = '' } = config
    return {
      ...config,
      runId,
      processes: count,
      ...(caching?.entryBytesMax !== undefined && {
        caching: { ...caching, entryBytesMax: part(caching.entryBytesMax) },
      }),
      ...(mirrors && { mirrors: { ...mirrors, writes: isFirst } }),
      ...(audit?.log && {
        audit: {
          ...audit,
          log: { ...audit.log, file: { ...audit.log.file, shared: isFirst ? 'rotates' : 'follows' } },
        },
      }),
      services: { ...config.services, leavesEndpoint: !isFirst },
      ...(debugSocketPath !== '' && !isFirst && { debugSocketPath: `${debugSocketPath}.${index}` }),
      server: {
        ...config.server,
        ...(port !== undefined && { port }),
        portSharing: true,
        maxRequestsInFlight: part(maxRequestsInFlight),
        maxMutatingRequestsInFlight: part(maxMutatingRequestsInFlight),
        // They close watches one after the other.
        shutdownWatchGracePeriodMs: part(shutdownWatchGracePeriodMs),
      },
    }
  }
}
