import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminToken, type ServerProcess, scratchFolder, startServer } from '../../test/support/apiserver.ts'
import { AttackClient } from './client.ts'

/** Attackers and observers: `admin` may do everything, `signer` requests client certificates and approves them. */
const userNames = ['admin', 'nobody', 'editor', 'node', 'author', 'signer'] as const
export type UserName = (typeof userNames)[number]

const groupsOf: Partial<Record<UserName, string>> = { node: 'system:nodes' }
/** User names on the server. */
export const accountOf = (user: UserName): string => (user === 'node' ? 'system:node:n1' : user)

/** A control plane of one process with all controllers, and its users. */
export interface AttackedPlane {
  readonly server: ServerProcess
  readonly pid: number
  /** Bearer tokens, the administrator's among them. */
  readonly tokens: Readonly<Record<UserName, string>>
  as(user: UserName): AttackClient
  anonymous(): AttackClient
  /** Lines of the audit log so far. */
  audit(): string
  /** Files of the server that no client may read: keys and tokens. */
  keptSecrets(): readonly string[]
  close(): Promise<void>
}

/**
 * Requests with secrets are logged without bodies, as every guide to auditing recommends; all others whole, so that
 * leaks in them would be found.
 */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'Metadata', resources: [{ group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] }] },
    { level: 'Metadata', resources: [{ group: 'authentication.k8s.io' }] },
    { level: 'Request' },
  ],
}

export interface PlaneOptions {
  readonly flags?: readonly string[]
  readonly auditPolicy?: object
}

export async function startAttackedPlane(options: PlaneOptions = {}): Promise<AttackedPlane> {
  const folder = scratchFolder('attack')
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const secret = (user: UserName): string => (user === 'admin' ? adminToken : randomBytes(16).toString('hex'))
  const tokens = Object.fromEntries(userNames.map((user) => [user, secret(user)])) as AttackedPlane['tokens']
  const rows = userNames.map((user) => {
    const groups = user === 'admin' ? 'system:masters' : (groupsOf[user] ?? '')
    return `${tokens[user]},${accountOf(user)},${user},"${groups}"`
  })
  const auditLog = join(folder.path, 'audit.log')
  const server = await startServer(
    'cmd/pilothouse/main.ts',
    [
      '--storage-backend=memory',
      '--controllers=*',
      `--token-auth-file=${file('users.csv', rows.join('\n'))}`,
      `--audit-log-path=${auditLog}`,
      `--audit-policy-file=${file('audit.json', JSON.stringify(options.auditPolicy ?? auditPolicy))}`,
      ...(options.flags ?? []),
    ],
    folder.path,
    // Its memory is watched.
    { isTuned: true },
  ).catch((error: unknown) => {
    folder.remove()
    throw error
  })
  const clients = new Map<string, AttackClient>()
  const clientOf = (token: string): AttackClient => {
    let client = clients.get(token)
    if (client === undefined) clients.set(token, (client = new AttackClient(server.url, token)))
    return client
  }
  return {
    server,
    pid: server.process.pid ?? 0,
    tokens,
    as: (user) => clientOf(tokens[user]),
    anonymous: () => clientOf(''),
    audit: () => (existsSync(auditLog) ? readFileSync(auditLog, 'utf8') : ''),
    keptSecrets: () => keysIn(join(folder.path, '.pilothouse')),
    async close() {
      for (const client of clients.values()) client.close()
      await server.kill()
      folder.remove()
    },
  }
}

/** The second line of every private key, which no other key shares: a text with it reveals the key. */
function keysIn(folder: string): string[] {
  const pki = join(folder, 'pki')
  return readdirSync(pki)
    .filter((name) => name.endsWith('.key'))
    .flatMap((name) => {
      const lines = readFileSync(join(pki, name), 'utf8').split('\n')
      return lines.filter((line) => line.length === 64).slice(1, 2)
    })
}
