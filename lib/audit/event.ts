import type { UserInfo } from '../request/index.ts'
import { limitUser } from './limits.ts'

export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
export type AuditStage = (typeof auditStages)[number]

/** One audit.k8s.io/v1 Event. Parts that are encoded once and used often are JSON texts. */
export interface AuditEvent {
  readonly level: AuditLevel
  readonly auditId: string
  readonly stage: AuditStage
  readonly requestUri: string
  readonly verb: string
  /** Undefined for an unauthenticated request. */
  readonly user: UserInfo | undefined
  readonly impersonatedUser: UserInfo | undefined
  /** The verb of constrained impersonation that allowed it; '' for others. */
  readonly impersonationConstraint: string
  readonly sourceIps: readonly string[]
  readonly userAgent: string
  readonly objectRef: AuditObjectReference | undefined
  readonly responseStatus: ResponseStatus | undefined
  /** JSON texts. */
  readonly requestObject: string | undefined
  readonly responseObject: string | undefined
  readonly receivedAt: string
  readonly stageAt: string
  readonly annotations: Readonly<Record<string, string>> | undefined
}

export interface AuditObjectReference {
  resource?: string
  namespace?: string
  name?: string
  uid?: string
  apiGroup?: string
  apiVersion?: string
  resourceVersion?: string
  subresource?: string
}

export interface ResponseStatus {
  readonly metadata: object
  readonly status?: string
  readonly message?: string
  readonly reason?: string
  readonly details?: object
  readonly code: number
}

/** The beginning of an event in a log, and in a list. */
export const eventPrefix = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",'

/** Encodes the members of an event without the opening brace. Users' texts are cached by user. */
export function createEventWriter(): (event: AuditEvent) => string {
  const users = new WeakMap<UserInfo, string>()
  const userText = (user: UserInfo): string => {
    let text = users.get(user)
    if (text === undefined) {
      text = JSON.stringify(showUser(user))
      users.set(user, text)
    }
    return text
  }
  return (event) => {
    const { user, impersonatedUser, objectRef, responseStatus, requestObject, responseObject, annotations } = event
    let text = `"level":"${event.level}","auditID":${JSON.stringify(event.auditId)},"stage":"${event.stage}","requestURI":${JSON.stringify(event.requestUri)},"verb":${JSON.stringify(event.verb)},"user":${user === undefined ? '{}' : userText(user)}`
    if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userText(impersonatedUser)}`
    if (event.impersonationConstraint !== '')
      text += `,"authenticationMetadata":{"impersonationConstraint":${JSON.stringify(event.impersonationConstraint)}}`
    if (event.sourceIps.length > 0) text += `,"sourceIPs":${JSON.stringify(event.sourceIps)}`
    if (event.userAgent !== '') text += `,"userAgent":${JSON.stringify(event.userAgent)}`
    if (objectRef !== undefined) text += `,"objectRef":${JSON.stringify(objectRef)}`
    if (responseStatus !== undefined) text += `,"responseStatus":${JSON.stringify(responseStatus)}`
    if (requestObject !== undefined) text += `,"requestObject":${requestObject}`
    if (responseObject !== undefined) text += `,"responseObject":${responseObject}`
    text += `,"requestReceivedTimestamp":"${event.receivedAt}","stageTimestamp":"${event.stageAt}"`
    if (annotations !== undefined) text += `,"annotations":${JSON.stringify(annotations)}`
    return `${text}}`
  }
}

function showUser(user: UserInfo): object {
  const { name, uid, groups, extra } = limitUser(user)
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** The line of --audit-log-format=legacy. */
export function legacyLine(event: AuditEvent): string {
  const { objectRef, responseStatus } = event
  const user = event.user && limitUser(event.user)
  const impersonatedUser = event.impersonatedUser && limitUser(event.impersonatedUser)
  const field = (name: string, value: string): string => `${name}=${JSON.stringify(value)}`
  const groupsOf = (groups: readonly string[]): string => groups.map((group) => JSON.stringify(group)).join(',')
  return [
    `${event.receivedAt} AUDIT:`,
    field('id', event.auditId),
    field('stage', event.stage),
    field('ip', event.sourceIps[0] ?? '<unknown>'),
    field('method', event.verb),
    field('user', user === undefined ? '<none>' : user.name),
    field('groups', user === undefined || user.groups.length === 0 ? '<none>' : groupsOf(user.groups)),
    field('as', impersonatedUser === undefined ? '<self>' : impersonatedUser.name),
    field('asgroups', impersonatedUser === undefined ? '<lookup>' : groupsOf(impersonatedUser.groups)),
    field('user-agent', event.userAgent),
    field('namespace', objectRef?.namespace ?? '<none>'),
    field('uri', event.requestUri),
    field('response', responseStatus === undefined ? '<deferred>' : String(responseStatus.code)),
  ].join(' ')
}
