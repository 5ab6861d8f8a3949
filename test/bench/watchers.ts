import http2 from 'node:http2'
import https from 'node:https'
import type { Target } from './client.ts'

/** Many open watches that count events as they arrive. */
export interface Watchers {
  received(): number
  lastAtMs(): number
  close(): void
}

const newline = 10

function countEvents(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++
  return count
}

/** One connection a watch. */
export async function watchOverHttp1(target: Target, path: string, count: number): Promise<Watchers> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  let received = 0
  let lastAtMs = 0
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${target.token}` }
      const call = https.get(target.url + path, { agent, rejectUnauthorized: false, headers }, (answer) => {
        answer.on('data', (chunk: Buffer) => {
          received += countEvents(chunk)
          lastAtMs = performance.now()
        })
        answer.on('error', () => {})
        resolve()
      })
      call.on('error', reject)
    })
  for (let opened = 0; opened < count; opened += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, open))
  return { received: () => received, lastAtMs: () => lastAtMs, close: () => agent.destroy() }
}

/** Ten streams a connection, as client libraries multiplex their informers. */
export async function watchOverHttp2(target: Target, path: string, count: number): Promise<Watchers> {
  const sessions: http2.ClientHttp2Session[] = []
  let received = 0
  let lastAtMs = 0
  const open = (session: http2.ClientHttp2Session): Promise<void> =>
    new Promise((resolve) => {
      const stream = session.request({ ':path': path, authorization: `Bearer ${target.token}` })
      stream.on('response', () => resolve())
      stream.on('error', () => {})
      stream.on('data', (chunk: Buffer) => {
        received += countEvents(chunk)
        lastAtMs = performance.now()
      })
    })
  for (let opened = 0; opened < count; opened += 10) {
    const session = http2.connect(target.url, { rejectUnauthorized: false })
    session.on('error', () => {})
    sessions.push(session)
    await Promise.all(Array.from({ length: Math.min(10, count - opened) }, () => open(session)))
  }
  return {
    received: () => received,
    lastAtMs: () => lastAtMs,
    close: () => {
      for (const session of sessions) session.destroy()
    },
  }
}
