// Which etcd member and which controller manager leads: both report it in their metrics.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import type { Ports } from './parts.ts'

interface Leaders {
  /** `etcd1`, …; undefined while there is none. */
  readonly etcd: string | undefined
  /** `manager1`, …; undefined while there is none. */
  readonly manager: string | undefined
}

/** Asks every member and manager; one that does not answer within two seconds does not lead. */
export async function findLeaders(folder: string, { etcd, managers }: Ports): Promise<Leaders> {
  // Managers let Prometheus read their metrics; their certificates are their own.
  const client = {
    cert: read(folder, 'prometheus.crt'),
    key: read(folder, 'prometheus.key'),
    rejectUnauthorized: false,
  }
  const members = etcd.map(({ metrics }) => textOf(`http://127.0.0.1:${metrics}/metrics`))
  const texts = managers.map((port) => textOf(`https://127.0.0.1:${port}/metrics`, client))
  const member = (await Promise.all(members)).findIndex((text) => /^etcd_server_is_leader 1$/m.test(text))
  const manager = (await Promise.all(texts)).findIndex((text) =>
    /^leader_election_master_status\{[^}]*\} 1$/m.test(text),
  )
  return {
    etcd: member < 0 ? undefined : `etcd${member + 1}`,
    manager: manager < 0 ? undefined : `manager${manager + 1}`,
  }
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** The body; '' without an answer. */
async function textOf(url: string, options: https.RequestOptions = {}): Promise<string> {
  return await new Promise((resolve) => {
    const { get } = url.startsWith('https:') ? https : http
    const request = get(url, { agent: false, timeout: 2000, ...options }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += String(chunk)))
      answer.on('end', () => resolve(text))
      answer.on('error', () => resolve(''))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(''))
  })
}
