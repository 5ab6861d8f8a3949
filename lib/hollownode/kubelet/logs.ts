import type { ServerResponse } from 'node:http'
import { formatMicroTime, parseTime } from '../../object/index.ts'
import type { ContainerLog, LogLine } from '../pods/containerlog.ts'
import { type KubeletRoute, sendText } from './server.ts'

/** Finds logs by `namespace/pod/container`. Throws with what is answered where there are none. */
export interface LogBackend {
  logOf(path: string, isPrevious: boolean): ContainerLog
  now(): number
}

/** Lines that wait for a slow reader; a reader that is further behind loses its connection. */
const unsentBytesMax = 4 * 1024 * 1024

/** The route of the containers' logs. */
export function logRoute(backend: LogBackend): KubeletRoute {
  const prefix = '/containerLogs'
  return {
    prefix,
    handle(_request, response, { pathname, searchParams: query }) {
      let log: ContainerLog
      try {
        log = backend.logOf(decodeURIComponent(pathname.slice(prefix.length + 1)), query.get('previous') === 'true')
      } catch (error) {
        return sendText(response, 404, error instanceof Error ? error.message : String(error))
      }
      const send = createSender(response, query, backend.now())
      response.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' })
      response.flushHeaders()
      for (const line of tail(log.lines, query.get('tailLines'))) send(line)
      if (query.get('follow') !== 'true') return void response.end()
      const stop = log.follow((line) => {
        if (line === undefined) response.end()
        else send(line)
      })
      response.on('close', stop)
    },
  }
}

function tail(lines: readonly LogLine[], wanted: string | null): readonly LogLine[] {
  return wanted === null ? lines : lines.slice(Math.max(0, lines.length - Number(wanted)))
}

/** Sends lines that the query asks for, until its limit of bytes. */
function createSender(response: ServerResponse, query: URLSearchParams, nowMs: number): (line: LogLine) => void {
  const since = query.get('sinceSeconds')
  const sinceTime = query.get('sinceTime')
  const fromMs = since !== null ? nowMs - Number(since) * 1000 : sinceTime === null ? 0 : parseTime(sinceTime)
  const hasTimes = query.get('timestamps') === 'true'
  const stream = query.get('stream')?.toLowerCase() ?? 'all'
  const limit = query.get('limitBytes')
  let leftBytes = limit === null ? Number.POSITIVE_INFINITY : Number(limit)
  return ({ atMs, stream: of, text }) => {
    if (atMs < fromMs || (stream !== 'all' && stream !== of) || leftBytes <= 0 || response.destroyed) return
    const line = Buffer.from(hasTimes ? `${formatMicroTime(atMs)} ${text}` : text)
    response.write(line.subarray(0, leftBytes))
    leftBytes -= line.length
    if (leftBytes <= 0) response.end()
    else if (response.writableLength > unsentBytesMax) response.destroy()
  }
}
