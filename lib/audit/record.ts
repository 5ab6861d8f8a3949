import { isIP } from 'node:net'
import type { ApiObject } from '../object/index.ts'
import { parseJsonText } from '../object/index.ts'
import type { AuditAnnotations, Call, RequestInfo, ResponseHeaders, UserInfo } from '../request/index.ts'
import type { AuditEvent, AuditObjectReference, AuditStage, ResponseStatus } from './event.ts'
import { auditLimits, cut, limitReference, limitStatus } from './limits.ts'
import type { AuditDecision } from './match.ts'
import type { ObjectTexts } from './objects.ts'

/** The part of a call that its audit record reads. */
export interface AuditedCall extends Call {
  readonly auditId: string
  /** The verb of constrained impersonation that allowed the user; '' for others. */
  readonly impersonationConstraint: string
}

/** How a call ended. */
interface AuditedEnd {
  /** After impersonation. */
  readonly user: UserInfo
  /** 0: nothing was sent. */
  readonly status: number
  /** The error that the client was sent. */
  readonly failure: { toStatus(): Omit<ResponseStatus, 'code'> & { readonly code: number } } | undefined
  /** The failure was an unexpected error. */
  readonly crashed: boolean
}

export interface RecordServices {
  readonly texts: ObjectTexts
  /** True for resources whose objects hold credentials: their error messages are left out. */
  isConfidential(info: RequestInfo): boolean
  timestamp(): string
  emit(event: AuditEvent): void
}

const statusBytesMax = 4096
const verbsWithStatus = new Set(['create', 'delete', 'deletecollection'])
/** Resources whose bodies hold credentials: never recorded, whatever the policy demands. */
const secretive = new Set(['serviceaccounts/token', 'tokenreviews/'])

/**
 * The audit record of one request, from its arrival to its end; emits an event at each stage that the policy includes.
 */
export class AuditRecord implements AuditAnnotations {
  readonly #call: AuditedCall
  readonly #decision: AuditDecision
  readonly #services: RecordServices
  readonly #user: UserInfo
  readonly #receivedAt: string
  readonly #sourceIps: readonly string[]
  readonly #objectRef: AuditObjectReference | undefined
  readonly #keepsRequest: boolean
  readonly #keepsResponse: boolean
  readonly #keepsWords: boolean
  #annotations: Record<string, string> | undefined
  #annotationCount = 0
  #requestObject: string | undefined
  #responseObject: string | undefined
  #successStatus: ResponseStatus | undefined

  constructor(call: AuditedCall, decision: AuditDecision, services: RecordServices) {
    this.#call = call
    this.#decision = decision
    this.#services = services
    this.#user = call.user
    this.#receivedAt = services.timestamp()
    this.#sourceIps = sourceIpsOf(call)
    this.#objectRef = call.info.isResource ? referenceOf(call) : undefined
    const isSecretive = secretive.has(`${call.info.resource}/${call.info.subresource}`)
    this.#keepsRequest = !isSecretive && (decision.level === 'Request' || decision.level === 'RequestResponse')
    this.#keepsResponse = !isSecretive && decision.level === 'RequestResponse'
    this.#keepsWords = this.#keepsRequest || !(isSecretive || services.isConfidential(call.info))
  }

  /** The first value of a key is kept. */
  annotate(key: string, value: string): void {
    this.#annotations ??= {}
    if (Object.hasOwn(this.#annotations, key) || this.#annotationCount >= auditLimits.annotations) return
    this.#annotationCount++
    this.#annotations[cut(key, auditLimits.annotationCharacters)] = cut(value, auditLimits.annotationCharacters)
  }

  /** The object that the client sent: it has the name that a collection's URL lacks. */
  request(object: ApiObject): void {
    const reference = this.#objectRef
    if (reference !== undefined) {
      const { name, namespace, uid, resourceVersion } = object.metadata ?? {}
      const text = (given: string): string => cut(given, auditLimits.referenceCharacters)
      if (name && !reference.name) reference.name = text(name)
      if (namespace && !reference.namespace) reference.namespace = text(namespace)
      if (uid) reference.uid = text(uid)
      if (resourceVersion) reference.resourceVersion = text(resourceVersion)
    }
    if (this.#keepsRequest)
      this.#requestObject = this.#services.texts.fromObject(object, this.#decision.omitManagedFields)
  }

  /** The body of a request that is no object, such as a patch. */
  requestBody(contentType: string, body: Uint8Array): void {
    if (this.#keepsRequest && this.#requestObject === undefined)
      this.#requestObject = this.#services.texts.fromBody(contentType, body, this.#decision.omitManagedFields)
  }

  get keepsResponse(): boolean {
    return this.#keepsResponse
  }

  get keepsRequest(): boolean {
    return this.#keepsRequest
  }

  sent(status: number, headers: ResponseHeaders, body: Uint8Array | readonly Uint8Array[] | undefined): void {
    if (body === undefined) return
    const { isResource, verb } = this.#call.info
    const contentType = String(headers['content-type'] ?? '')
    if (status < 300 && verbsWithStatus.has(verb)) this.#successStatus = readStatus(contentType, body, status)
    if (!this.#keepsResponse || !isResource) return
    this.#responseObject = this.#services.texts.fromBody(contentType, joined(body), this.#decision.omitManagedFields)
  }

  /** As `sent`, for an answer that was not encoded. */
  sentObject(status: number, object: ApiObject): void {
    const { isResource, verb } = this.#call.info
    if (status < 300 && verbsWithStatus.has(verb) && object.kind === 'Status')
      this.#successStatus = limitStatus({ ...(object as ApiObject & ResponseStatus), code: status })
    if (!this.#keepsResponse || !isResource) return
    this.#responseObject = this.#services.texts.fromObject(object, this.#decision.omitManagedFields)
  }

  /** A watch or another endless answer begins. */
  streaming(status: number): void {
    this.#emit('ResponseStarted', { metadata: {}, code: status }, this.#impersonated(this.#call.user))
  }

  /** The event of the request's arrival; undefined where the policy omits it. */
  received(): AuditEvent | undefined {
    return this.#event('RequestReceived', undefined, undefined)
  }

  finished(end: AuditedEnd): void {
    const impersonated = this.#impersonated(end.user)
    if (end.crashed) {
      const message = 'APIServer panic, see the log of the server'
      this.#emit(
        'Panic',
        { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 },
        impersonated,
      )
      return
    }
    this.#emit('ResponseComplete', this.#statusOf(end), impersonated)
  }

  #impersonated(user: UserInfo): UserInfo | undefined {
    return user === this.#user ? undefined : user
  }

  #statusOf({ status, failure }: AuditedEnd): ResponseStatus {
    if (failure !== undefined && (status === 0 || status >= 400)) {
      const { status: outcome = 'Failure', message, reason, details, code } = failure.toStatus()
      if (!this.#keepsWords && isAboutBody(code))
        return { metadata: {}, status: outcome, reason: reason || undefined, code }
      return limitStatus({
        metadata: {},
        status: outcome,
        message: message || undefined,
        reason: reason || undefined,
        details: details && Object.keys(details).length > 0 ? details : undefined,
        code,
      })
    }
    if (status === 0) return { metadata: {}, status: 'Success', message: 'Connection closed early', code: 200 }
    return this.#successStatus ?? { metadata: {}, code: status }
  }

  #emit(stage: AuditStage, responseStatus: ResponseStatus, impersonatedUser: UserInfo | undefined): void {
    const event = this.#event(stage, responseStatus, impersonatedUser)
    if (event !== undefined) this.#services.emit(event)
  }

  #event(
    stage: AuditStage,
    responseStatus: ResponseStatus | undefined,
    impersonatedUser: UserInfo | undefined,
  ): AuditEvent | undefined {
    const { level, stages } = this.#decision
    if (!stages[stage]) return undefined
    const call = this.#call
    const isFirst = stage === 'RequestReceived'
    return {
      level,
      auditId: call.auditId,
      stage,
      requestUri: cut(call.url, auditLimits.uriCharacters),
      verb: call.info.verb,
      user: this.#user,
      impersonatedUser,
      impersonationConstraint: impersonatedUser === undefined ? '' : call.impersonationConstraint,
      sourceIps: this.#sourceIps,
      userAgent: userAgentOf(call),
      objectRef: this.#objectRef,
      responseStatus,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedAt: this.#receivedAt,
      stageAt: isFirst ? this.#receivedAt : this.#services.timestamp(),
      annotations: this.#annotations,
    }
  }
}

/** With these codes the message may quote the request's body or the stored object. */
function isAboutBody(code: number): boolean {
  return code === 400 || code === 422 || code >= 500
}

/** The reference to the request's object. */
export function referenceOf({ info }: Call): AuditObjectReference {
  const { resource, namespace, name, group, version, subresource } = info
  const reference: AuditObjectReference = { resource }
  if (namespace !== '') reference.namespace = namespace
  if (name !== '') reference.name = name
  if (group !== '') reference.apiGroup = group
  if (version !== '') reference.apiVersion = version
  if (subresource !== '') reference.subresource = subresource
  // A path can be longer than any name.
  return info.path.length <= auditLimits.referenceCharacters ? reference : limitReference(reference)
}

export function userAgentOf({ headers }: Call): string {
  return cut(headers['user-agent'] ?? '', auditLimits.userAgentCharacters)
}

/** The addresses in the proxies' headers and the peer's own, the nearest last. */
export function sourceIpsOf({ headers, remoteAddress }: Call): readonly string[] {
  const forwarded = headers['x-forwarded-for']
  const real = headers['x-real-ip']
  const remote = plainAddress(remoteAddress)
  if (forwarded === undefined && real === undefined) return remote === '' ? [] : [remote]
  const found = (forwarded ?? '')
    .split(',')
    .map((part) => plainAddress(part.trim()))
    .filter((part) => isIP(part) !== 0)
    .slice(-auditLimits.sourceIps)
  const nearest = plainAddress(real?.trim() ?? '')
  if (isIP(nearest) !== 0 && !found.includes(nearest)) found.push(nearest)
  if (remote !== '' && found.at(-1) !== remote) found.push(remote)
  return found
}

/** IPv4 without the prefix that IPv6 sockets show. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function joined(body: Uint8Array | readonly Uint8Array[]): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.concat(body)
}

const statusStart = Buffer.from('{"kind":"Status"')

/** The Status of deletions and actions that don't return an object: recorded at every level. */
function readStatus(
  contentType: string,
  body: Uint8Array | readonly Uint8Array[],
  code: number,
): ResponseStatus | undefined {
  const bytes = joined(body)
  if (bytes.length > statusBytesMax || !contentType.startsWith('application/json')) return undefined
  if (statusStart.compare(bytes.subarray(0, statusStart.length)) !== 0) return undefined
  // Our own answer, which begins as a Status does.
  const { status, message, details } = parseJsonText(Buffer.from(bytes).toString()) as {
    status?: string
    message?: string
    details?: object
  }
  return { metadata: {}, status: status || undefined, message: message || undefined, details, code }
}
