import type { ServiceAccount } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Logger } from '../../lib/base/index.ts'
import type { Client, CredentialSource, Credentials } from '../../lib/client/index.ts'
import { type ApiObject, StatusError } from '../../lib/object/index.ts'

const namespace = 'kube-system'
const tokenSeconds = 3600
/** Fraction of a token's lifetime after which it is renewed. */
const useFraction = 0.8
/** Servers may shorten lifetimes; this limits how often tokens are renewed. */
const lifeMsMin = 10 * 60_000

interface TokenRequest extends ApiObject {
  spec: { audiences: string[]; expirationSeconds: number }
  status?: { token: string; expirationTimestamp: string }
}

/** Tokens of service accounts in kube-system. Missing accounts are created, and tokens renewed before they expire. */
export function createAccountCredentials(
  { clock, client }: { clock: Clock; client: Client },
  account: string,
): CredentialSource {
  let held: { readonly credentials: Credentials; readonly untilMs: number } | undefined
  let asking: Promise<Credentials> | undefined

  async function ask(): Promise<Credentials> {
    const tokens = client.resource(resources.core.v1.serviceaccounts).subresource<TokenRequest>('token')
    const request: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences: [], expirationSeconds: tokenSeconds },
    }
    const name = { namespace, name: account }
    const issued = await tokens.create(name, request).catch(async (error: unknown) => {
      if (!(error instanceof StatusError && error.code === 404)) throw error
      await makeAccount(client, account)
      return await tokens.create(name, request)
    })
    const { token, expirationTimestamp } = issued.status ?? { token: '', expirationTimestamp: '' }
    if (token === '') throw new Error(`the API server issued no token for ${account}`)
    const lifeMs = Math.max(lifeMsMin, Date.parse(expirationTimestamp) - clock.now())
    const credentials = { authorization: `Bearer ${token}` }
    held = { credentials, untilMs: clock.monotonicMs() + lifeMs * useFraction }
    return credentials
  }

  /** One token request at a time; concurrent callers share its answer. */
  function refresh(): Promise<Credentials> {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  return {
    async current() {
      return held && clock.monotonicMs() < held.untilMs ? held.credentials : await refresh()
    },
    async renewed(shown) {
      if (held && held.credentials !== shown) return held.credentials
      held = undefined
      return await refresh()
    },
  }
}

/**
 * Creates missing accounts, also of controllers that need no token yet: one list for all that are named during the
 * start. A failure is logged: the account's first token request creates it then.
 */
export function createAccountMaker({
  client,
  log,
}: {
  client: Client
  log: Logger
}): (account: string) => Promise<void> {
  let listed: Promise<ReadonlySet<string | undefined>> | undefined
  const list = async (): Promise<ReadonlySet<string | undefined>> => {
    const { items } = await client.resource(resources.core.v1.serviceaccounts).list({ namespace })
    return new Set(items.map(({ metadata }) => metadata.name))
  }
  return async (account) => {
    try {
      listed ??= list()
      if (!(await listed).has(account)) await makeAccount(client, account)
    } catch (error) {
      log.warn('the account of a controller could not be made', { account, error })
    }
  }
}

async function makeAccount(client: Client, name: string): Promise<void> {
  const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } }
  try {
    await client.resource(resources.core.v1.serviceaccounts).create(account)
  } catch (error) {
    // Another manager has created it.
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
  }
}
