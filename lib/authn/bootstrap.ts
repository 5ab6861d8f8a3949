import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../base/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { AuthenticationResult, TokenAuthenticator } from './authenticator.ts'
import type { Lookup } from './serviceaccount/lookup.ts'

const none: AuthenticationResult = { outcome: 'none' }
const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/
const secretType = 'bootstrap.kubernetes.io/token'
const allBootstrappers = 'system:bootstrappers'

/** Tokens by which a new node joins: secrets `bootstrap-token-<id>` in kube-system. */
export function createBootstrapAuthenticator({ clock, lookup }: { clock: Clock; lookup: Lookup }): TokenAuthenticator {
  return {
    name: 'bootstrap',
    authenticateToken(token, { signal }) {
      const [, id, secret] = tokenForm.exec(token) ?? []
      if (id === undefined || secret === undefined) return none
      return lookup('secrets', 'kube-system', `bootstrap-token-${id}`, signal).then((holder) =>
        holder === undefined ? none : check(holder, id, secret, clock.now()),
      )
    },
  }
}

function check(holder: ApiObject, id: string, secret: string, nowMs: number): AuthenticationResult {
  const { type, data = {} } = holder as ApiObject & { type?: string; data?: Readonly<Record<string, unknown>> }
  const read = (key: string): string => textOf(data[key])
  if (holder.metadata.deletionTimestamp !== undefined || type !== secretType) return refuse('has no such secret')
  if (!sameText(read('token-secret'), secret)) return refuse("does not have the secret's text")
  if (read('token-id') !== id) return refuse('has another id than its secret')
  const expiration = read('expiration')
  // An expiration that can't be parsed counts as expired.
  if (expiration !== '' && !(Date.parse(expiration) > nowMs)) return refuse('has expired')
  if (read('usage-bootstrap-authentication') !== 'true') return refuse('is not for authentication')
  const groups = read('auth-extra-groups')
    .split(',')
    .filter((group) => group !== '')
  const wrong = groups.find((group) => !groupForm.test(group))
  if (wrong !== undefined) return refuse('names a group that is none for bootstrapping')
  const user = {
    name: `system:bootstrap:${id}`,
    uid: '',
    groups: [...new Set([allBootstrappers, ...groups])].sort(),
    extra: {},
  }
  return { outcome: 'authenticated', user }
}

function refuse(why: string): AuthenticationResult {
  return { outcome: 'invalid', reason: `the bootstrap token ${why}` }
}

/** Values of a secret's data are base64 in JSON, bytes elsewhere. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value, 'base64').toString()
  return value instanceof Uint8Array ? Buffer.from(value).toString() : ''
}

function sameText(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'))
}
