import { quote, statusErrors } from '../../object/index.ts'
import {
  anonymousUser,
  authenticatedGroup,
  extraOfHeaders,
  type UserInfo,
  unauthenticatedGroup,
} from '../../request/index.ts'
import type { ServerCall } from '../call.ts'

const extraPrefixes = ['impersonate-extra-']

/**
 * The user that the headers Impersonate-User, -Uid, -Group and -Extra-… name, exactly as they name it; undefined where
 * the request has none of them. Throws 400 for other headers without a user, in the words of `describe`.
 */
export function wantedUserOf(call: ServerCall, describe: (wanted: UserInfo) => string): UserInfo | undefined {
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
  throw statusErrors.badRequest(describe(wanted))
}

/** Later filters see the other user and none of the headers. */
export function becomeUser(call: ServerCall, user: UserInfo): void {
  call.user = user
  for (const name in call.headers) if (name.startsWith('impersonate-')) call.headers[name] = undefined
}

/** Impersonated users are authenticated unless their groups name the other group. */
export function withKnownGroup(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups
  if (name === anonymousUser.name) return [...groups, unauthenticatedGroup]
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup]
}

/** As the stock server prints a user of Go. */
export function describeUser({ name, uid, groups, extra }: UserInfo): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`
  const entries = Object.entries(extra).map(([key, values]) => `${quote(key)}:${list(values)}`)
  const extraText = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`
  const groupText = groups.length === 0 ? '[]string(nil)' : list(groups)
  const text = `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${groupText}, Extra:${extraText}}`
  return `requested ${text} without impersonating a user name`
}

/** As the stock server prints the references of its older filter: kind, namespace, name, UID, version, revision, path. */
export function describeReferences({ uid, groups, extra }: UserInfo): string {
  const reference = (kind: string, name: string, version = '', path = ''): string =>
    `{${[kind, '', name, '', version, '', path].join(' ')}}`
  const version = 'authentication.k8s.io/v1'
  const references = [
    ...groups.map((group) => reference('Group', group)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => reference('UserExtra', value, version, key)),
    ),
    ...(uid === '' ? [] : [reference('UID', uid, version)]),
  ]
  return `requested [${references.join(' ')}] without impersonating a user`
}
