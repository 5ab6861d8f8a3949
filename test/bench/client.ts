import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { scratchFolder } from '../support/apiserver.ts'
import { endWithUs } from '../support/child.ts'

/** A server under load. */
export interface Target {
  readonly url: string
  readonly pid: number
  readonly token: string
}

interface Answer {
  status: number
  bytes: number
  body: string
}

/** A pooled client; `keepBody: false` only counts the bytes of answers. */
export function createClient(target: Target, connectionsMax = 64) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: connectionsMax })
  const request = (
    method: string,
    path: string,
    body?: string,
    keepBody = true,
    contentType = 'application/json',
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${target.token}`,
        ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      }
      const call = https.request(target.url + path, { method, agent, rejectUnauthorized: false, headers }, (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (keepBody) chunks.push(chunk)
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, bytes, body: Buffer.concat(chunks).toString() }),
        )
        answer.on('error', reject)
      })
      call.on('error', reject)
      call.end(body)
    })
  return {
    close: () => agent.destroy(),
    request,
    patch: (path: string, body: string) => request('PATCH', path, body, true, 'application/merge-patch+json'),
  }
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50: string
  p99: string
  /** Answers that were not 2xx or 3xx. */
  failures: number
}

/** Loads a path with wrk over TLS; `script` is a Lua script that makes the requests. */
export async function load(
  target: Target,
  path: string,
  options: { connections: number; seconds: number; script?: string },
): Promise<LoadResult> {
  const args = ['-t1', `-c${options.connections}`, `-d${options.seconds}s`, '--latency']
  args.push('-H', `Authorization: Bearer ${target.token}`)
  const folder = scratchFolder('bench')
  if (options.script) {
    const file = join(folder.path, 'requests.lua')
    writeFileSync(file, options.script)
    args.push('-s', file)
  }
  const output = await runWrk([...args, target.url + path]).finally(folder.remove)
  const requests = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0)
  return {
    requests,
    perSecond: Math.round(requests / options.seconds),
    p50: /^\s+50%\s+(\S+)$/m.exec(output)?.[1] ?? '?',
    p99: /^\s+99%\s+(\S+)$/m.exec(output)?.[1] ?? '?',
    failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0),
  }
}

function runWrk(args: readonly string[]): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    endWithUs(child)
    let text = ''
    child.stdout.on('data', (chunk) => (text += String(chunk)))
    child.on('error', () => reject(new Error('wrk is not on PATH: install Debian’s package `wrk`')))
    child.on('close', () => resolve(text))
  })
}
