import { logRoute } from '../../../lib/hollownode/kubelet/logs.ts'
import type { KubeletRoute } from '../../../lib/hollownode/kubelet/server.ts'
import { ContainerLog } from '../../../lib/hollownode/pods/containerlog.ts'

/** Logs of containers, by `namespace/pod/container`. */
export interface KubeletLogs {
  readonly route: KubeletRoute
  /** Appends lines, also for those who follow. */
  write(container: string, ...lines: string[]): void
  /** Nothing more comes. */
  end(container: string): void
  /** Those who follow now. */
  followers(container: string): number
}

export function createKubeletLogs(): KubeletLogs {
  const logs = new Map<string, ContainerLog>()
  const logOf = (container: string): ContainerLog => {
    const known = logs.get(container) ?? new ContainerLog()
    logs.set(container, known)
    return known
  }
  return {
    route: logRoute({
      now: () => Date.now(),
      logOf(path) {
        const log = logs.get(path)
        if (!log) throw new Error(`pod not found: /containerLogs/${path}\n`)
        return log
      },
    }),
    write(container, ...lines) {
      for (const line of lines) logOf(container).write('stdout', `${line}\n`, Date.now())
    },
    end: (container) => logOf(container).end(Date.now()),
    followers: (container) => logOf(container).followers,
  }
}
