import { serviceAccountGroups, splitServiceAccountName } from '../../authn/index.ts'
import {
  FieldPath,
  fieldErrors,
  quote,
  StatusError,
  validateDns1123Subdomain,
  validateDomainPrefixedPath,
} from '../../object/index.ts'
import { mastersGroup, nodesGroup, type UserInfo } from '../../request/index.ts'
import { attributesFor, authenticationGroup, type WantedPart } from './attributes.ts'
import { type Check, refusal } from './check.ts'
import { withKnownGroup } from './wanted.ts'

/** From so many groups or values on, one check for all of them comes before the checks of each. */
const manyChecks = 4

/** The verb of a mode, and whether it is one of the constrained ones (KEP-5284) or the older `impersonate`. */
export interface ImpersonationVerb {
  readonly verb: string
  readonly constrained: boolean
}

/**
 * Checks each part of the wanted user, in the stock server's order, and returns the user with the groups that it has
 * without naming them. Rejects with the first 403.
 */
export async function authorizeWanted(
  check: Check,
  { verb, constrained }: ImpersonationVerb,
  requestor: UserInfo,
  wanted: UserInfo,
): Promise<UserInfo> {
  const ask: Ask = (part) => check(attributesFor(requestor, verb, part))
  const refuse: Refuse = (part, reason) => refusal(attributesFor(requestor, verb, part), reason)
  const { part, groups } = nameOf(wanted, constrained)
  await ask(part)
  if (wanted.uid !== '') await ask({ group: authenticationGroup, resource: 'uids', name: wanted.uid })
  const group = constrained ? authenticationGroup : ''
  if (constrained) {
    await authorizeGroups(ask, refuse, group, wanted.groups)
    await authorizeExtra(ask, refuse, wanted.extra)
  } else {
    for (const name of wanted.groups) await ask({ group, resource: 'groups', name })
    await askEachExtra(ask, wanted.extra)
  }
  return Object.freeze({ ...wanted, groups: withKnownGroup(wanted.name, groups) })
}

type Ask = (part: WantedPart) => Promise<void>
type Refuse = (part: WantedPart, reason: string) => Error

/** The part that the user's name is, and the groups of the user: those of nodes and service accounts are known. */
function nameOf({ name, groups }: UserInfo, constrained: boolean): { part: WantedPart; groups: readonly string[] } {
  const group = constrained ? authenticationGroup : ''
  const account = splitServiceAccountName(name)
  if (account !== undefined) {
    const part = { group, resource: 'serviceaccounts', ...account } as const
    return { part, groups: groups.length === 0 ? serviceAccountGroups(account.namespace) : groups }
  }
  const node = constrained ? nodeNameOf(name) : undefined
  if (node !== undefined) return { part: { group, resource: 'nodes', name: node }, groups: [nodesGroup] }
  return { part: { group, resource: 'users', name }, groups }
}

const nodePrefix = 'system:node:'

/** The node whose user has this name; undefined for other names. */
export function nodeNameOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined
  const node = user.slice(nodePrefix.length)
  return validateDns1123Subdomain(node).length === 0 ? node : undefined
}

async function authorizeGroups(ask: Ask, refuse: Refuse, group: string, names: readonly string[]): Promise<void> {
  const part = (name: string): WantedPart => ({ group, resource: 'groups', name })
  if (names.includes('')) throw refuse(part(''), 'impersonating the empty string group is not allowed')
  if (names.includes(mastersGroup))
    throw refuse(part(mastersGroup), 'impersonating the system:masters group is not allowed')
  if (names.length >= manyChecks && (await isAllowed(ask, part('*')))) return
  for (const name of names) await ask(part(name))
}

async function authorizeExtra(ask: Ask, refuse: Refuse, extra: UserInfo['extra']): Promise<void> {
  const all = { group: authenticationGroup, resource: 'userextras' } as const
  const flaw = flawOf(extra)
  if (flaw !== undefined) throw refuse({ ...all, name: '' }, flaw)
  const values = Object.values(extra).reduce((count, each) => count + each.length, 0)
  if (values >= manyChecks && (await isAllowed(ask, { ...all, subresource: '*', name: '*' }))) return
  await askEachExtra(ask, extra)
}

async function askEachExtra(ask: Ask, extra: UserInfo['extra']): Promise<void> {
  for (const [subresource, values] of Object.entries(extra))
    for (const name of values) await ask({ group: authenticationGroup, resource: 'userextras', subresource, name })
}

async function isAllowed(ask: Ask, part: WantedPart): Promise<boolean> {
  try {
    await ask(part)
    return true
  } catch (error) {
    if (error instanceof StatusError) return false
    throw error
  }
}

/** A reason to refuse extra attributes, some of which the older verb takes. */
function flawOf(extra: UserInfo['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed'
    const flaws = validateDomainPrefixedPath(key)
    if (flaws.length > 0) return `impersonating an invalid key in extra is not allowed: ${describeKey(key, flaws)}`
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`
    if (values.length === 0) return 'impersonating empty values in extra is not allowed'
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed'
  }
  return undefined
}

const keyPath = FieldPath.root('extra').child('key')

/** The findings about a key quote the part that they are about: the domain, the path, or without one of them all. */
function describeKey(key: string, flaws: readonly string[]): string {
  const slash = key.indexOf('/')
  const host = key.slice(0, Math.max(slash, 0))
  const isWhole = slash <= 0 || slash === key.length - 1
  const hostFlaws = isWhole ? [] : validateDns1123Subdomain(host)
  const part = (flaw: string): string => (isWhole ? key : hostFlaws.includes(flaw) ? host : key.slice(slash + 1))
  const texts = flaws.map((flaw) => {
    const { message } = fieldErrors.invalid(keyPath, part(flaw), flaw)
    return `${keyPath}: ${message}`
  })
  const [only = ''] = texts
  return texts.length === 1 ? only : `[${texts.join(', ')}]`
}
