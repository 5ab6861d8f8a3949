import type { Secret, ServiceAccount } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { signToken, type TokenKey } from '../../authn/index.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type Informer, isNotFound, joinKey, splitKey } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { accountOf, claimsOf, isFor, missing, nameAnnotation, uidAnnotation } from './plan.ts'

const { secrets, serviceaccounts } = resources.core.v1

interface Parts {
  readonly context: ControllerContext
  readonly key: TokenKey
  readonly known: Informer<Secret>
  readonly accounts: Informer<ServiceAccount>
}

export async function fill({ context, key, known, accounts }: Parts, client: Client, name: string): Promise<void> {
  const shown = known.get(name)
  const accountName = shown && accountOf(shown)
  if (!shown || accountName === undefined || shown.metadata.deletionTimestamp !== undefined) return
  const all = client.resource(secrets)
  try {
    const account = await findAccount(accounts, client, shown, accountName)
    if (!account) return void (await all.delete(shown.metadata, { uid: shown.metadata.uid }))
    const { rootCa } = context.settings
    if (!missing(shown, account, rootCa)) return
    const live: Frozen<Secret> = await all.get(splitKey(name))
    if (live.metadata.resourceVersion !== shown.metadata.resourceVersion) return
    const wanted = missing(live, account, rootCa)
    if (!wanted) return
    const token: Record<string, string> = wanted.token ? { token: await encodedToken(key, live, account) } : {}
    const annotations = {
      ...live.metadata.annotations,
      [nameAnnotation]: accountName,
      [uidAnnotation]: account.metadata.uid ?? '',
    }
    await all.update({
      ...live,
      metadata: { ...live.metadata, annotations },
      data: { ...live.data, ...wanted.data, ...token },
    })
  } catch (error) {
    // After a conflict it is retried: the informer may not report another change.
    if (!isNotFound(error)) throw error
  }
}

async function encodedToken(key: TokenKey, secret: Frozen<Secret>, account: Frozen<ServiceAccount>): Promise<string> {
  return Buffer.from(await signToken(claimsOf(secret, account), key)).toString('base64')
}

/** Reads the server before an account counts as deleted. */
async function findAccount(
  accounts: Informer<ServiceAccount>,
  client: Client,
  secret: Frozen<Secret>,
  name: string,
): Promise<Frozen<ServiceAccount> | undefined> {
  const { namespace = '' } = secret.metadata
  const shown = accounts.get(joinKey(namespace, name))
  if (shown && isFor(secret, shown)) return shown
  try {
    const live: Frozen<ServiceAccount> = await client.resource(serviceaccounts).get({ namespace, name })
    return isFor(secret, live) ? live : undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Removes a deleted secret from the account's list. */
export async function dropReference(client: Client, key: string): Promise<void> {
  const [namespace = '', name = '', secret = ''] = key.split('/')
  const all = client.resource(serviceaccounts)
  try {
    const account: Frozen<ServiceAccount> = await all.get({ namespace, name })
    if (!isListed(account, secret)) return
    try {
      await client.resource(secrets).get({ namespace, name: secret })
      return
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    await all.update({ ...account, secrets: (account.secrets ?? []).filter((each) => each.name !== secret) })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

export function isListed(account: Frozen<ServiceAccount> | undefined, secret: string): boolean {
  return account?.secrets?.some(({ name }) => name === secret) ?? false
}
