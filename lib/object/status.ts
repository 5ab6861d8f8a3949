import { type FieldError, quote } from './fielderror.ts'
import { formatGroupKind, formatGroupResource, type GroupResource } from './group.ts'
import type { ListMeta } from './meta.ts'

export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'StorageReadError'

export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

/** meta.k8s.io/v1 Status, with fields in the order of output. */
export type Status = {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: ListMeta
  status: 'Success' | 'Failure'
  message?: string
  reason?: StatusReason
  details?: StatusDetails
  code: number
}

/** A caller's mistake, or a condition that the caller must know: the only error type with a wire form. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly code: number
  readonly reason: StatusReason
  readonly details: StatusDetails | undefined
  /** Metadata of the Status: holds a fresh continue token (410 for an expired one). */
  readonly metadata: ListMeta

  constructor(
    code: number,
    reason: StatusReason,
    message: string,
    options: { details?: StatusDetails; metadata?: ListMeta; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.reason = reason
    this.details = options.details
    this.metadata = options.metadata ?? {}
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

function about(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
  }
}

/**
 * Maximum number of causes in one Status. The stock server has no limit; a request can have mistakes by the hundred
 * thousand.
 */
export const causesMax = 1000
/** Maximum number of characters of all its causes together; the first one is included whatever its length. */
export const causesCharactersMax = 256 * 1024

function withinLimits(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0
  for (const [index, { field, message }] of errors.entries()) {
    characters += field.length + message.length
    if (index === causesMax || (index > 0 && characters > causesCharactersMax)) return errors.slice(0, index)
  }
  return errors
}

/** Creates every StatusError of the server's answers; clients match on their texts and details. */
export const statusErrors = {
  unauthorized: (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized'),
  forbidden(resource: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError {
    const what =
      resource.resource === '' ? '' : `${formatGroupResource(resource)} ${name === '' ? '' : `${quote(name)} `}is `
    const details = resource.resource === '' ? undefined : { ...about(resource, name), ...(causes ? { causes } : {}) }
    return new StatusError(403, 'Forbidden', `${what}forbidden: ${why}`, details ? { details } : {})
  },
  notFound: (resource: GroupResource, name: string): StatusError =>
    new StatusError(404, 'NotFound', `${formatGroupResource(resource)} ${quote(name)} not found`, {
      details: about(resource, name),
    }),
  noSuchResource: (): StatusError =>
    new StatusError(404, 'NotFound', 'the server could not find the requested resource', { details: {} }),
  alreadyExists: (resource: GroupResource, name: string): StatusError =>
    new StatusError(409, 'AlreadyExists', `${formatGroupResource(resource)} ${quote(name)} already exists`, {
      details: about(resource, name),
    }),
  generateNameConflict: (resource: GroupResource, name: string): StatusError =>
    new StatusError(
      409,
      'AlreadyExists',
      `${formatGroupResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
      { details: { ...about(resource, name), retryAfterSeconds: 1 } },
    ),
  conflict: (resource: GroupResource, name: string, why: string): StatusError =>
    new StatusError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quote(name)}: ${why}`,
      {
        details: about(resource, name),
      },
    ),
  modified: (resource: GroupResource, name: string): StatusError =>
    statusErrors.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
  gone: (message: string): StatusError => new StatusError(410, 'Gone', message),
  expired: (message: string, metadata?: ListMeta): StatusError =>
    new StatusError(410, 'Expired', message, metadata ? { metadata } : {}),
  /**
   * `subject.kind` is the Kind; option errors use kinds of meta.k8s.io such as ListOptions. Includes as many causes as
   * causesMax and causesCharactersMax allow, and the number of further ones.
   */
  invalid(subject: { group: string; kind: string }, name: string, errors: readonly FieldError[]): StatusError {
    const told = withinLimits(errors)
    const lines = [...new Set(told.map((error) => `${error.field}: ${error.message}`))]
    if (told.length < errors.length) lines.push(`and ${errors.length - told.length} more`)
    const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`
    return new StatusError(422, 'Invalid', `${formatGroupKind(subject)} ${quote(name)} is invalid: ${list}`, {
      details: {
        ...(name === '' ? {} : { name }),
        ...(subject.group === '' ? {} : { group: subject.group }),
        ...(subject.kind === '' ? {} : { kind: subject.kind }),
        causes: told.map(({ reason, message, field }) => ({ reason, message, field })),
      },
    })
  },
  badRequest: (message: string, cause?: unknown): StatusError => new StatusError(400, 'BadRequest', message, { cause }),
  methodNotAllowed: (): StatusError =>
    new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
      details: {},
    }),
  /** `<operation> is not supported on resources of kind "<resource>"`. */
  methodNotSupported: (resource: GroupResource, operation: string): StatusError =>
    new StatusError(
      405,
      'MethodNotAllowed',
      `${operation} is not supported on resources of kind "${formatGroupResource(resource)}"`,
      { details: about(resource, '') },
    ),
  notAcceptable: (message: string): StatusError => new StatusError(406, 'NotAcceptable', message),
  unsupportedMediaType: (message: string): StatusError => new StatusError(415, 'UnsupportedMediaType', message),
  tooLarge: (why: string): StatusError =>
    new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`),
  tooManyRequests: (message: string, retryAfterSeconds: number): StatusError =>
    new StatusError(429, 'TooManyRequests', message, { details: { retryAfterSeconds } }),
  timeout: (why: string, retryAfterSeconds = 0): StatusError =>
    new StatusError(504, 'Timeout', `Timeout: ${why}`, {
      details: retryAfterSeconds > 0 ? { retryAfterSeconds } : {},
    }),
  /** The request has timed out, whatever it was waiting for. */
  outOfTime: (): StatusError => statusErrors.timeout('request did not complete within the allotted timeout'),
  tooLargeResourceVersion: (requested: string, current: string): StatusError =>
    new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    }),
  serverTimeout: (resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError =>
    new StatusError(
      500,
      'ServerTimeout',
      `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`,
      { details: { ...about(resource, operation), ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}) } },
    ),
  internal: (why: string, cause?: unknown): StatusError =>
    new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, {
      details: { causes: [{ message: why }] },
      cause,
    }),
  unavailable: (message: string, retryAfterSeconds = 0): StatusError =>
    new StatusError(
      503,
      'ServiceUnavailable',
      message,
      retryAfterSeconds > 0 ? { details: { retryAfterSeconds } } : {},
    ),
} as const
