import type { ServerResponse } from 'node:http'
import type { KubeletRoute } from './fakekubelet.ts'

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

interface Log {
  readonly lines: string[]
  readonly followers: Set<ServerResponse>
}

export function createKubeletLogs(): KubeletLogs {
  const logs = new Map<string, Log>()
  const logOf = (container: string): Log => {
    const known = logs.get(container) ?? { lines: [], followers: new Set() }
    logs.set(container, known)
    return known
  }
  return {
    route: {
      prefix: '/containerLogs',
      handle(_request, response, { pathname, searchParams }) {
        const log = logs.get(pathname.slice('/containerLogs/'.length))
        if (!log) {
          response.writeHead(404, { 'content-type': 'text/plain' }).end(`pod not found: ${pathname}\n`)
          return
        }
        const tail = searchParams.get('tailLines')
        const text = (tail === null ? log.lines : log.lines.slice(log.lines.length - Number(tail))).join('')
        response.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' })
        const limit = searchParams.get('limitBytes')
        const shown = limit === null ? text : text.slice(0, Number(limit))
        if (searchParams.get('follow') !== 'true') return void response.end(shown)
        response.write(shown)
        log.followers.add(response)
        response.on('close', () => log.followers.delete(response))
      },
    },
    write(container, ...lines) {
      const log = logOf(container)
      for (const line of lines) {
        log.lines.push(`${line}\n`)
        for (const follower of log.followers) follower.write(`${line}\n`)
      }
    },
    end(container) {
      for (const follower of logOf(container).followers) follower.end()
    },
    followers: (container) => logOf(container).followers.size,
  }
}
