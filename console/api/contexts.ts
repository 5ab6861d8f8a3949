import { signal } from '@preact/signals'
import { type Context, contextsOf, isSameServer } from '../state/kubeconfig.ts'
import { ApiError, signIn, switchTo } from './session.ts'

/** Contexts of kubeconfigs that can't be used at this server without being asked for, in the memory of this page. */
export const otherContexts = signal<readonly Context[]>([])

/** Contexts of one file that are signed in. */
const usedMax = 10
/** Characters of a kubeconfig. */
const charactersMax = 4 * 1024 * 1024

/**
 * Signs in with a token, or with a kubeconfig: in all of its contexts at this server that hold a token; the current context is
 * used first. Tokens for other servers are sent nowhere. Throws ApiError of the first context.
 */
export async function signInWith(credential: string): Promise<void> {
  const contexts = await readContexts(credential)
  if (contexts === undefined) return void (await signIn(credential.trim()))
  const isHere = ({ server, token }: Context): boolean => token !== '' && isSameServer(server, location.origin)
  otherContexts.value = contexts.filter((context) => !isHere(context))
  const usable = contexts.filter(isHere)
  const attempts = await Promise.allSettled(usable.slice(0, usedMax).map(({ token, name }) => signIn(token, name)))
  const first = attempts.find((each) => each.status === 'fulfilled')
  if (first) return switchTo(first.value)
  const [refused] = attempts
  if (refused?.status === 'rejected') throw refused.reason
  throw new ApiError(0, 'NoContext', '')
}

/** Signs in with the token of a context whose server has another address than this page. Throws ApiError. */
export async function signInHere(context: Context): Promise<void> {
  await signIn(context.token, context.name)
  otherContexts.value = otherContexts.value.filter((each) => each !== context)
}

/** Undefined for what is no kubeconfig. */
async function readContexts(credential: string): Promise<Context[] | undefined> {
  // Tokens have neither.
  if (!/[\n{]/.test(credential.trim()) || credential.length > charactersMax) return undefined
  const { parse } = await import('yaml')
  try {
    return contextsOf(parse(credential, { schema: 'core' }))
  } catch {
    return undefined
  }
}
