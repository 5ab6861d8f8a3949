import http2 from 'node:http2'
import type { LoadResult, Target } from './client.ts'

const sessionCount = 8

/** One request: its path, and its body where there is one. */
interface Http2Request {
  readonly path: string
  readonly body?: string
}

/** Loads a server over HTTP/2 as client libraries do: eight connections, each with several requests under way. */
export async function loadOverHttp2(
  target: Target,
  next: () => Http2Request,
  options: { streams: number; seconds: number },
): Promise<LoadResult> {
  const sessions = Array.from({ length: sessionCount }, () => http2.connect(target.url, { rejectUnauthorized: false }))
  const late: number[] = []
  let failures = 0
  const deadlineMs = performance.now() + options.seconds * 1000
  const worker = async (session: http2.ClientHttp2Session): Promise<void> => {
    while (performance.now() < deadlineMs) {
      const startMs = performance.now()
      const status = await ask(session, target.token, next())
      late.push(performance.now() - startMs)
      if (status >= 400) failures++
    }
  }
  await Promise.all(sessions.flatMap((session) => Array.from({ length: options.streams }, () => worker(session))))
  for (const session of sessions) session.destroy()
  late.sort((a, b) => a - b)
  const percentile = (share: number): string => `${(late[Math.floor(late.length * share)] ?? 0).toFixed(2)}ms`
  return {
    requests: late.length,
    perSecond: Math.round(late.length / options.seconds),
    p50: percentile(0.5),
    p99: percentile(0.99),
    failures,
  }
}

function ask(session: http2.ClientHttp2Session, token: string, { path, body }: Http2Request): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ':path': path, authorization: `Bearer ${token}` }
    const stream = session.request(
      body === undefined ? headers : { ...headers, ':method': 'POST', 'content-type': 'application/json' },
    )
    let status = 0
    stream.on('response', (answer) => (status = answer[':status'] ?? 0))
    stream.on('data', () => {})
    stream.on('end', () => resolve(status))
    stream.on('error', reject)
    stream.end(body)
  })
}
