import { serviceAccountGroups, splitServiceAccountName } from '../../authn/index.ts'
import { type AuthorizationAttributes, type Authorizer, forbiddenMessage } from '../../authz/index.ts'
import { quote, statusErrors } from '../../object/index.ts'
import {
  anonymousUser,
  authenticatedGroup,
  extraOfHeaders,
  type UserInfo,
  unauthenticatedGroup,
} from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'

/** The impersonated user. */
interface Wanted {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

const extraPrefixes = ['impersonate-extra-']

/**
 * Lets a user act as another one by the headers Impersonate-User, -Uid, -Group and -Extra-…. Each of them must be
 * allowed (verb impersonate). Later filters see the other user and no such headers.
 */
export function impersonate({ authorizer }: { authorizer: Authorizer }): ServerFilter {
  async function actAs(call: ServerCall, wanted: Wanted): Promise<void> {
    for (const attributes of checksOf(call.user, wanted)) {
      const { decision, reason } = await authorizer.authorize(attributes, call)
      if (decision === 'allow') continue
      call.responseHeaders.push('x-content-type-options', 'nosniff')
      throw statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, reason))
    }
    call.user = userOf(wanted)
    for (const name in call.headers) if (name.startsWith('impersonate-')) call.headers[name] = undefined
  }

  return (call, next) => {
    const wanted = wantedOf(call)
    return wanted === undefined ? next(call) : actAs(call, wanted).then(() => next(call))
  }
}

/** Undefined where the request has none of the headers. Throws 400 for other headers without a user. */
function wantedOf(call: ServerCall): Wanted | undefined {
  const { headers } = call
  let asks = false
  for (const name in headers) {
    if (name.charCodeAt(0) === 0x69 && name.startsWith('impersonate-') && headers[name] !== undefined) asks = true
  }
  if (!asks) return undefined
  const wanted = {
    name: call.headerValue('impersonate-user'),
    uid: call.headerValue('impersonate-uid'),
    groups: call.headerValues('impersonate-group'),
    extra: extraOfHeaders(headers, extraPrefixes, (header) => call.headerValues(header)),
  }
  if (wanted.name !== '') return wanted
  if (wanted.uid === '' && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0) return undefined
  throw statusErrors.badRequest(`requested ${describe(wanted)} without impersonating a user name`)
}

/** In the format of the stock server. */
function describe({ name, uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`
  const entries = Object.entries(extra).map(([key, values]) => `${quote(key)}:${list(values)}`)
  const extraText = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`
  const groupText = groups.length === 0 ? '[]string(nil)' : list(groups)
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${groupText}, Extra:${extraText}}`
}

/** One authorization check for the user, and for each group, value and uid. */
function checksOf(user: UserInfo, { name, uid, groups, extra }: Wanted): AuthorizationAttributes[] {
  const about = (
    resource: string,
    of: string,
    more: Partial<AuthorizationAttributes> = {},
  ): AuthorizationAttributes => ({
    user,
    verb: 'impersonate',
    isResource: true,
    path: '',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name: of,
    ...more,
  })
  const account = splitServiceAccountName(name)
  const group = 'authentication.k8s.io'
  return [
    account ? about('serviceaccounts', account.name, { namespace: account.namespace }) : about('users', name),
    ...groups.map((each) => about('groups', each)),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => about('userextras', value, { group, subresource })),
    ),
    ...(uid === '' ? [] : [about('uids', uid, { group })]),
  ]
}

function userOf({ name, uid, groups: given, extra }: Wanted): UserInfo {
  const account = splitServiceAccountName(name)
  const groups = given.length === 0 && account ? serviceAccountGroups(account.namespace) : given
  return { name, uid, groups: withKnownGroup(name, groups), extra }
}

/** Impersonated users are authenticated unless their groups name the other group. */
function withKnownGroup(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups
  if (name === anonymousUser.name) return [...groups, unauthenticatedGroup]
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup]
}
