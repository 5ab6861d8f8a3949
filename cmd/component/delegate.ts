import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { resources } from '../../api/gen/resources.ts'
import { type Clock, createTtlCache, type Logger } from '../../lib/base/index.ts'
import type { Client } from '../../lib/client/index.ts'
import { anonymousUser, authenticatedGroup, type UserInfo } from '../../lib/request/index.ts'

interface DelegationOptions {
  readonly tokenTtlMs: number
  readonly allowedTtlMs: number
  readonly deniedTtlMs: number
}

/** Authenticates and authorizes requests for the operational pages by TokenReview and SubjectAccessReview. */
export interface Delegation {
  /** Undefined for invalid credentials. */
  authenticate(request: IncomingMessage): Promise<UserInfo | undefined>
  authorize(user: UserInfo, verb: string, path: string): Promise<boolean>
}

const entriesMax = 1000

/** Without `client` there is no API server to ask: tokens are refused, and only public paths are served. */
export function createDelegation(
  { clock, log, client }: { clock: Clock; log: Logger; client: Client | undefined },
  { tokenTtlMs, allowedTtlMs, deniedTtlMs }: DelegationOptions,
): Delegation {
  const users = createTtlCache<{ readonly user: UserInfo | undefined }>(clock, entriesMax)
  const decisions = createTtlCache<{ readonly allowed: boolean }>(clock, entriesMax)

  async function userOfToken(token: string): Promise<UserInfo | undefined> {
    if (!client) return undefined
    // The cache doesn't keep tokens themselves.
    const key = createHash('sha256').update(token).digest('base64')
    const known = users.get(key)
    if (known) return known.user
    const review = await client.resource(resources.authentication.v1.tokenreviews).create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: {},
      spec: { token },
      status: { user: {} },
    })
    const { authenticated, user } = review.status
    const found: UserInfo | undefined =
      authenticated === true && user
        ? { name: user.username ?? '', uid: user.uid ?? '', groups: user.groups ?? [], extra: user.extra ?? {} }
        : undefined
    users.set(key, { user: found }, tokenTtlMs)
    return found
  }

  return {
    async authenticate(request) {
      const fromCertificate = userOfCertificate(request)
      if (fromCertificate) return fromCertificate
      const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
      if (token === undefined) return anonymousUser
      try {
        return await userOfToken(token)
      } catch (error) {
        log.warn('a token could not be reviewed', { error })
        return undefined
      }
    },
    async authorize(user, verb, path) {
      if (!client) return false
      const key = JSON.stringify([user.name, user.uid, user.groups, user.extra, verb, path])
      const known = decisions.get(key)
      if (known) return known.allowed
      try {
        const extra = Object.fromEntries(Object.entries(user.extra).map(([name, values]) => [name, [...values]]))
        const { status } = await client.resource(resources.authorization.v1.subjectaccessreviews).create({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: {
            user: user.name,
            uid: user.uid,
            groups: [...user.groups],
            extra,
            nonResourceAttributes: { path, verb },
          },
          status: { allowed: false },
        })
        decisions.set(key, { allowed: status.allowed }, status.allowed ? allowedTtlMs : deniedTtlMs)
        return status.allowed
      } catch (error) {
        log.warn('access to a page could not be reviewed', { error })
        return false
      }
    },
  }
}

/** OpenSSL has verified the chain; this only reads names. */
function userOfCertificate({ socket }: IncomingMessage): UserInfo | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  const { subject } = socket.getPeerCertificate()
  if (!subject?.CN || Array.isArray(subject.CN)) return undefined
  const organizations: readonly string[] = subject.O === undefined ? [] : [subject.O].flat()
  return { name: subject.CN, uid: '', groups: [...organizations, authenticatedGroup], extra: {} }
}
