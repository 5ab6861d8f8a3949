import { formatGroupResource, parseDuration, StatusError, statusErrors } from '../../object/index.ts'
import type { CallFault } from '../../server/index.ts'

const faultVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const

/** The verbs of authorization. */
export type FaultVerb = (typeof faultVerbs)[number]

/** Durations are milliseconds, or texts in Go's form: `1.5s`. */
export type Fault =
  /** The request does nothing and is answered with an error: 409, 429 or from 500 to 599. */
  | {
      readonly kind: 'error'
      readonly code: number
      /** 429 and 503. */
      readonly retryAfterSeconds?: number
      /** Default: that of the server for this code. */
      readonly message?: string
    }
  /** The request is done, and its connection breaks before the answer. Not for watches. */
  | { readonly kind: 'lostAnswer' }
  /** The request waits before it is done. */
  | { readonly kind: 'delay'; readonly by: string | number }
  /** 410 Expired; for lists that continue, and for lists and watches from a resource version. */
  | { readonly kind: 'expired' }
  /** Events of a watch arrive later. */
  | { readonly kind: 'slowWatch'; readonly by: string | number }
  /** A watch ends some time after it has begun (default: at once); `breaks`: its connection breaks. */
  | { readonly kind: 'endedWatch'; readonly after?: string | number; readonly breaks?: boolean }
  /** An admission webhook of this name is not reached (default), or doesn't answer in time. */
  | { readonly kind: 'webhook'; readonly name: string; readonly how?: 'refused' | 'timeout' }

/** Selects requests, and names their fault and how often it strikes. Absent selecting fields select all requests. */
export interface FaultRule {
  readonly verbs?: readonly FaultVerb[]
  /** `pods`, `deployments.apps`, `pods/status`; without a subresource, requests for subresources don't match. */
  readonly resource?: string
  readonly namespace?: string
  /** The name in the path; creates have none. */
  readonly name?: string
  /** `system:serviceaccount:kube-system:replicaset-controller`, `pilothouse:admin`. */
  readonly user?: string
  readonly fault: Fault
  /** Default: every time. */
  readonly count?: number
  /** Matching requests that go well first. Default 0. */
  readonly skip?: number
  /** Probability of the fault for a matching request, greater than 0, by random numbers of `seed`. Default 1. */
  readonly probability?: number
  /** The same seed and requests give the same faults. Default 1. */
  readonly seed?: number
}

const selecting = ['verbs', 'resource', 'namespace', 'name', 'user'] as const
const known = new Set<string>([...selecting, 'fault', 'count', 'skip', 'probability', 'seed'])
const fieldsOf: Readonly<Record<Fault['kind'], readonly string[]>> = {
  error: ['code', 'retryAfterSeconds', 'message'],
  lostAnswer: [],
  delay: ['by'],
  expired: [],
  slowWatch: ['by'],
  endedWatch: ['after', 'breaks'],
  webhook: ['name', 'how'],
}
/** The longest delay. */
const delayMsMax = 24 * 3_600_000

/** Throws an Error of one line that names the field which makes no sense. */
export function checkFaultRule(rule: FaultRule): void {
  const wrong = (what: string): never => {
    throw new Error(`fault: ${what}`)
  }
  for (const field of Object.keys(rule)) if (!known.has(field)) wrong(`there is no field ${field}`)
  const { verbs, fault, count, skip, probability, seed } = rule
  for (const field of ['resource', 'namespace', 'name', 'user'] as const)
    if (rule[field] !== undefined && (typeof rule[field] !== 'string' || rule[field] === ''))
      wrong(`${field} must be a text that is not empty`)
  if (verbs !== undefined && !(Array.isArray(verbs) && verbs.length > 0))
    wrong('verbs must be a list that is not empty')
  for (const verb of verbs ?? []) if (!faultVerbs.includes(verb)) wrong(`verbs: there is no ${verb}`)
  for (const [field, value] of Object.entries({ count, skip, seed }))
    if (value !== undefined && !(Number.isInteger(value) && value >= (field === 'count' ? 1 : 0)))
      wrong(`${field} must be a whole number from ${field === 'count' ? 1 : 0}`)
  if (probability !== undefined && !(probability > 0 && probability <= 1))
    wrong('probability must be greater than 0 and at most 1')
  if (verbs?.every((verb) => verb === 'create') && rule.name !== undefined)
    wrong('name: the path of a create names no object')
  if (typeof fault !== 'object' || fault === null || !Object.hasOwn(fieldsOf, fault.kind))
    wrong(`fault.kind must be one of ${Object.keys(fieldsOf).join(', ')}`)
  for (const field of Object.keys(fault))
    if (field !== 'kind' && !fieldsOf[fault.kind].includes(field)) wrong(`a fault ${fault.kind} has no field ${field}`)
  checkFault(rule, wrong)
}

function checkFault(rule: FaultRule, wrong: (what: string) => never): void {
  const { fault, verbs } = rule
  const onlyFor = (allowed: readonly FaultVerb[]): void => {
    for (const verb of verbs ?? [])
      if (!allowed.includes(verb)) wrong(`a fault ${fault.kind} is for ${allowed.join(' and ')}, not for ${verb}`)
  }
  const checkDuration = (field: string, value: unknown, leastMs: number): void => {
    const ms = millisecondsOf(value)
    if (!(ms >= leastMs && ms <= delayMsMax))
      wrong(`fault.${field} must be a duration of ${leastMs} ms to 24h, not ${value}`)
  }
  if (fault.kind === 'error') {
    const { code, retryAfterSeconds, message } = fault
    if (!(Number.isInteger(code) && (code === 409 || code === 429 || (code >= 500 && code <= 599))))
      wrong(`fault.code must be 409, 429 or from 500 to 599, not ${code}`)
    if (retryAfterSeconds !== undefined && !(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1))
      wrong('fault.retryAfterSeconds must be a whole number from 1')
    if (retryAfterSeconds !== undefined && code !== 429 && code !== 503)
      wrong(`fault.retryAfterSeconds is for the codes 429 and 503, not for ${code}`)
    if (message !== undefined && typeof message !== 'string') wrong('fault.message must be a text')
  } else if (fault.kind === 'lostAnswer') {
    onlyFor(faultVerbs.filter((verb) => verb !== 'watch'))
  } else if (fault.kind === 'delay') checkDuration('by', fault.by, 1)
  else if (fault.kind === 'expired') onlyFor(['list', 'watch'])
  else if (fault.kind === 'slowWatch') {
    onlyFor(['watch'])
    checkDuration('by', fault.by, 1)
  } else if (fault.kind === 'endedWatch') {
    onlyFor(['watch'])
    checkDuration('after', fault.after ?? 0, 0)
  } else {
    for (const field of selecting)
      if (rule[field] !== undefined) wrong(`${field}: a fault webhook is selected by fault.name`)
    if (typeof fault.name !== 'string' || fault.name === '') wrong('fault.name must name a webhook')
    if (fault.how !== undefined && fault.how !== 'refused' && fault.how !== 'timeout')
      wrong('fault.how must be refused or timeout')
  }
}

function millisecondsOf(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN
  try {
    return Number(parseDuration(value)) / 1e6
  } catch {
    return Number.NaN
  }
}

/** The verbs that a rule without any is for. */
export function verbsOf({ verbs, fault }: FaultRule): ReadonlySet<string> {
  if (verbs) return new Set(verbs)
  if (fault.kind === 'slowWatch' || fault.kind === 'endedWatch') return new Set(['watch'])
  if (fault.kind === 'expired') return new Set(['list', 'watch'])
  return new Set(faultVerbs.filter((verb) => fault.kind !== 'lostAnswer' || verb !== 'watch'))
}

/** The form in which the server injects a fault into a call about this resource. */
export function callFaultOf(
  fault: Fault,
  about: { group: string; resource: string; name: string; continues: boolean; requested: string },
): CallFault {
  switch (fault.kind) {
    case 'error':
      return { failure: errorOf(fault, about) }
    case 'lostAnswer':
      return { losesAnswer: true }
    case 'delay':
      return { delayMs: millisecondsOf(fault.by) }
    case 'expired':
      return {
        failure: statusErrors.expired(
          about.continues ? expiredContinue : `too old resource version: ${about.requested} (${about.requested})`,
        ),
      }
    case 'slowWatch':
      return { delayEventsMs: millisecondsOf(fault.by) }
    case 'endedWatch':
      return { endsAfterMs: millisecondsOf(fault.after ?? 0), breaks: fault.breaks === true }
    case 'webhook':
      return {}
  }
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.'

function errorOf(
  { code, retryAfterSeconds, message }: Extract<Fault, { kind: 'error' }>,
  { group, resource, name }: { group: string; resource: string; name: string },
): StatusError {
  const about = { group, resource }
  if (message === undefined) {
    if (code === 409) return statusErrors.modified(about, name)
    if (code === 429)
      return statusErrors.tooManyRequests('Too many requests, please try again later.', retryAfterSeconds ?? 1)
    if (code === 503)
      return statusErrors.unavailable('the server is currently unable to handle the request', retryAfterSeconds)
    if (code === 504) return statusErrors.timeout('request did not complete within the allotted timeout')
    if (code === 500) return statusErrors.internal('injected fault')
  }
  const reason =
    code === 409
      ? 'Conflict'
      : code === 429
        ? 'TooManyRequests'
        : code === 503
          ? 'ServiceUnavailable'
          : code === 504
            ? 'Timeout'
            : 'InternalError'
  const details = {
    ...(name === '' ? {} : { name }),
    kind: formatGroupResource(about),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
  return new StatusError(code, reason, message ?? 'injected fault', { details })
}
