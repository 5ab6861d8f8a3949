import { isRecord } from '../../base/index.ts'

/** The Go type of a field, and the JSON type that it is read from. */
type FieldType =
  | { readonly is: 'string' | 'bool' | 'int32' | 'int64' | 'bytes'; readonly name: string }
  | { readonly is: 'list' | 'map'; readonly name: string; readonly of: FieldType }
  | { readonly is: 'struct'; readonly name: string }

const string: FieldType = { is: 'string', name: 'string' }
const named = (name: string): FieldType => ({ is: 'string', name })
const struct = (name: string): FieldType => ({ is: 'struct', name })

/** Fields of an answer, by the names of their structs. */
const structs: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
  AdmissionReview: { response: struct('AdmissionResponse') },
  AdmissionResponse: {
    uid: named('types.UID'),
    allowed: { is: 'bool', name: 'bool' },
    status: struct('Status'),
    patch: { is: 'bytes', name: '[]uint8' },
    patchType: named('PatchType'),
    auditAnnotations: { is: 'map', name: 'map[string]string', of: string },
    warnings: { is: 'list', name: '[]string', of: string },
  },
  Status: {
    apiVersion: string,
    kind: string,
    metadata: struct('ListMeta'),
    status: string,
    message: string,
    reason: named('v1.StatusReason'),
    details: struct('StatusDetails'),
    code: { is: 'int32', name: 'int32' },
  },
  ListMeta: {
    selfLink: string,
    resourceVersion: string,
    continue: string,
    remainingItemCount: { is: 'int64', name: 'int64' },
  },
  StatusDetails: {
    name: string,
    group: string,
    kind: string,
    uid: named('types.UID'),
    causes: { is: 'list', name: '[]v1.StatusCause', of: struct('StatusCause') },
    retryAfterSeconds: { is: 'int32', name: 'int32' },
  },
  StatusCause: { reason: named('v1.CauseType'), message: string, field: string },
}
/** Types of the review's package, which is named after the version. */
const ofReview = new Set(['AdmissionResponse', 'PatchType'])

/**
 * The first field of a review whose value has the wrong type, in the stock server's words; undefined: there is none.
 */
export function typeProblem(review: Readonly<Record<string, unknown>>, version: string): string | undefined {
  return problemOfStruct(review, 'AdmissionReview', '', version)
}

function problemOfStruct(
  value: Readonly<Record<string, unknown>>,
  name: string,
  path: string,
  version: string,
): string | undefined {
  const fields = structs[name] ?? {}
  for (const [field, member] of Object.entries(value)) {
    const type = Object.hasOwn(fields, field) ? fields[field] : undefined
    const problem = type && problemOf(member, type, { struct: name, path: `${path}${field}`, version })
    if (problem !== undefined) return problem
  }
  return undefined
}

interface Place {
  readonly struct: string
  readonly path: string
  readonly version: string
}

/** A null is the empty value of every type. */
function problemOf(value: unknown, type: FieldType, place: Place): string | undefined {
  if (value === null) return undefined
  switch (type.is) {
    case 'string':
      return typeof value === 'string' ? undefined : mismatch(value, type, place)
    case 'bool':
      return typeof value === 'boolean' ? undefined : mismatch(value, type, place)
    case 'int32':
    case 'int64':
      return typeof value === 'number' && fits(value, type.is) ? undefined : mismatch(value, type, place)
    case 'bytes':
      if (typeof value === 'string') return problemOfBase64(value)
      return Array.isArray(value) ? undefined : mismatch(value, type, place)
    case 'list':
      return Array.isArray(value) ? firstProblem(value, type.of, place) : mismatch(value, type, place)
    case 'map':
      return isRecord(value) ? firstProblem(Object.values(value), type.of, place) : mismatch(value, type, place)
    case 'struct':
      return isRecord(value)
        ? problemOfStruct(value, type.name, `${place.path}.`, place.version)
        : mismatch(value, type, place)
  }
}

function firstProblem(values: readonly unknown[], type: FieldType, place: Place): string | undefined {
  for (const value of values) {
    const problem = problemOf(value, type, place)
    if (problem !== undefined) return problem
  }
  return undefined
}

function fits(value: number, type: 'int32' | 'int64'): boolean {
  return Number.isInteger(value) && Math.abs(value) <= (type === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER)
}

function mismatch(value: unknown, type: FieldType, { struct: owner, path, version }: Place): string {
  const isNumberOfOtherSize = typeof value === 'number' && (type.is === 'int32' || type.is === 'int64')
  const kind = isNumberOfOtherSize ? `number ${value}` : jsonKind(value)
  const isPlain = type.name.includes('.') || type.is !== 'struct'
  const prefix = ofReview.has(type.name) ? `${version}.` : isPlain ? '' : 'v1.'
  return `json: cannot unmarshal ${kind} into Go struct field ${owner}.${path} of type ${prefix}${type.name}`
}

/** The name of a JSON value in errors of the Go decoder. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function problemOfBase64(text: string): string | undefined {
  const at = firstBadCharacter(text.replaceAll(/[\r\n]/g, ''))
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`
}

/** In a text that ends within a group of four characters, the first bad character is the group's first. */
function firstBadCharacter(text: string): number | undefined {
  const digits = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0
  const begun = digits % 4
  if (digits === text.length) return begun === 0 ? undefined : digits - begun
  const padding = begun === 2 ? '==' : begun === 3 ? '=' : ''
  if (padding === '' || !text.startsWith('=', digits)) return digits
  if (!text.startsWith(padding, digits)) return text.length === digits + 1 ? text.length : digits
  const end = digits + padding.length
  return end === text.length ? undefined : end
}
