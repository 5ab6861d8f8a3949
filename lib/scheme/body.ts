import {
  checkValues,
  DecodeError,
  decodeCbor,
  decodeMessage,
  decodeParsed,
  decodeValue,
  decodeYaml,
  formatDuplicates,
  parseBody,
  readEnvelope,
  type StructCodec,
  TooManyValues,
  valuesMax,
  writeJson,
} from '../codec/index.ts'
import {
  countValues,
  type GroupVersionKind,
  type JsonValue,
  parseGroupVersion,
  StatusError,
  statusErrors,
} from '../object/index.ts'
import type { FieldValidation, JsonTree, MediaType } from './kindcodec.ts'

interface DecodedBody {
  readonly gvk: GroupVersionKind
  readonly object: Record<string, unknown>
  readonly strictErrors: readonly string[]
}

interface BodyOptions {
  readonly mediaType: MediaType
  readonly expected: GroupVersionKind
  readonly fieldValidation: FieldValidation
  readonly needsTypeMeta?: boolean
  /** Codec of a registered kind. */
  codecOf(gvk: GroupVersionKind): StructCodec | undefined
}

/**
 * Reads a request's body: first its kind and version, then the object. Throws StatusError 400 with the stock server's
 * texts. Strict errors are returned, not thrown.
 */
export function decodeKindBody(body: Uint8Array | JsonTree, options: BodyOptions): DecodedBody {
  const { expected } = options
  let found: Identified
  try {
    found = body instanceof Uint8Array ? identify(body, options.mediaType) : identifyTree(body)
    checkGroupVersion(found)
    if (options.needsTypeMeta) requireTypeMeta(found)
  } catch (error) {
    if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
    throw statusErrors.badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${messageOf(error)} (${summarizeBody(body)})`,
      error,
    )
  }
  const gvk = complete(found, expected)
  try {
    const codec = options.codecOf(gvk)
    if (!codec) throw new DecodeError(unregistered(gvk))
    const strict = options.fieldValidation !== 'Ignore'
    return { gvk, ...found.decode(codec, { strict }) }
  } catch (error) {
    throw cannotBeHandled(gvk, expected, error)
  }
}

/**
 * Reads options, which have no group and version of their own: clients also send the resource's. Errors have plain
 * words here: `no kind "Pod" is registered for version "v1" …`.
 */
export function decodeOptions(
  body: Uint8Array,
  { mediaType, expected, codec }: { mediaType: MediaType; expected: GroupVersionKind; codec: StructCodec },
): Record<string, unknown> {
  try {
    const found = identify(body, mediaType)
    checkGroupVersion(found)
    const gvk = complete(found, expected)
    if (gvk.kind !== expected.kind) throw new DecodeError(unregistered(gvk))
    return found.decode(codec, { strict: false }).object
  } catch (error) {
    if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
    throw statusErrors.badRequest(messageOf(error), error)
  }
}

/** `Pod in version "v1" cannot be handled as a ConfigMap: …`. */
export function cannotBeHandled(gvk: GroupVersionKind, expected: GroupVersionKind, cause: unknown): StatusError {
  if (cause instanceof StatusError) return cause
  if (cause instanceof TooManyValues) return statusErrors.tooLarge(cause.message)
  const text = `${gvk.kind} in version "${gvk.version}" cannot be handled as a ${expected.kind}: ${messageOf(cause)}`
  return statusErrors.badRequest(text, cause)
}

/** A body whose kind and version are known. */
interface Identified {
  readonly apiVersion: string
  readonly kind: string
  decode(codec: StructCodec, options: DecodeStyle): DecodedStruct
}

interface DecodeStyle {
  readonly strict: boolean
}

interface DecodedStruct {
  readonly object: Record<string, unknown>
  readonly strictErrors: readonly string[]
}

function identify(body: Uint8Array, mediaType: MediaType): Identified {
  switch (mediaType) {
    case 'application/json':
      return identifyJson(body)
    case 'application/yaml':
      return identifyYaml(body)
    case 'application/vnd.kubernetes.protobuf': {
      const { apiVersion, kind, raw } = readEnvelope(body)
      return {
        apiVersion,
        kind,
        decode(codec) {
          return { object: decodeSentMessage(raw, codec), strictErrors: [] }
        },
      }
    }
    case 'application/cbor': {
      const value = decodeCbor(body, valuesMax)
      return { ...typeMetaOf(value), decode: (codec, options) => decodeValue(value, codec, options) }
    }
  }
}

function decodeSentMessage(raw: Uint8Array, codec: StructCodec): Record<string, unknown> {
  const object = decodeMessage(raw, codec, valuesMax)
  // Scalars take two bytes each at least.
  if (raw.length > 2 * valuesMax && countValues(object, valuesMax) > valuesMax) throw new TooManyValues()
  return object
}

function identifyJson(bytes: Uint8Array): Identified {
  checkValues(bytes)
  try {
    const body = parseBody(bytes)
    return { ...typeMetaOf(body.value), decode: (codec, options) => decodeParsed(body, codec, options) }
  } catch (error) {
    throw new DecodeError(`couldn't get version/kind; json parse error: ${messageOf(error)}`, { cause: error })
  }
}

function identifyYaml(body: Uint8Array): Identified {
  const { value, duplicates } = decodeYaml(body)
  return identifyTree({ tree: value, duplicates })
}

function identifyTree({ tree, duplicates }: JsonTree): Identified {
  let typeMeta: { apiVersion: string; kind: string }
  try {
    typeMeta = typeMetaOf(tree)
  } catch (error) {
    throw new DecodeError(`couldn't get version/kind; json parse error: ${messageOf(error)}`, { cause: error })
  }
  return {
    ...typeMeta,
    decode(codec, options) {
      const decoded = decodeValue(tree, codec, options)
      if (!options.strict || !duplicates) return decoded
      // The stock server converts YAML to JSON with sorted keys, and reads that.
      const unknown = [...decoded.strictErrors].sort()
      const { object } = decoded
      return { object, strictErrors: duplicates.length === 0 ? unknown : [formatDuplicates(duplicates), ...unknown] }
    },
  }
}

/** Go's text for the struct into which it reads kind and apiVersion. */
export const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function typeMetaOf(value: JsonValue): { apiVersion: string; kind: string } {
  if (value === null) return { apiVersion: '', kind: '' }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${typeMetaStruct}`)
  const text = (field: 'apiVersion' | 'kind'): string => {
    const found = Object.hasOwn(value, field) ? value[field] : undefined
    if (found === undefined || found === null) return ''
    if (typeof found === 'string') return found
    throw new DecodeError(`json: cannot unmarshal ${jsonKind(found)} into Go struct field .${field} of type string`)
  }
  return { apiVersion: text('apiVersion'), kind: text('kind') }
}

function checkGroupVersion({ apiVersion }: Identified): void {
  if (apiVersion !== '' && !parseGroupVersion(apiVersion))
    throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`)
}

/** The name of a JSON value in Go's decoder: `array`, `bool`, `number`, … */
export function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  return { string: 'string', number: 'number', bigint: 'number', boolean: 'bool' }[typeof value as 'string'] ?? 'object'
}

/** The kind and apiVersion in a YAML or JSON text; '' when they are absent or unreadable. */
export function readTypeMeta(text: string): { readonly apiVersion: string; readonly kind: string } {
  try {
    const { apiVersion, kind } = identifyYaml(Buffer.from(text))
    return { apiVersion, kind }
  } catch (error) {
    if (error instanceof DecodeError || error instanceof TooManyValues) return { apiVersion: '', kind: '' }
    throw error
  }
}

function requireTypeMeta({ apiVersion, kind }: Identified): void {
  if (kind === '') throw new DecodeError('kind is missing')
  if (apiVersion === '') throw new DecodeError('apiVersion is missing')
}

function complete({ apiVersion, kind }: Identified, expected: GroupVersionKind): GroupVersionKind {
  const { group, version } = parseGroupVersion(apiVersion) ?? expected
  return { group, version, kind: kind === '' ? expected.kind : kind }
}

function unregistered({ group, version, kind }: GroupVersionKind): string {
  return `no kind "${kind}" is registered for version "${group === '' ? version : `${group}/${version}`}" in scheme "pilothouse"`
}

const summaryBytesMax = 30

/** A body in the form of errors. */
export function summarizeBody(source: Uint8Array | JsonTree): string {
  const body = source instanceof Uint8Array ? source : Buffer.from(writeJson(source.tree))
  if (body.length === 0) return '<empty>'
  const head = Buffer.from(body.subarray(0, summaryBytesMax))
  const text = body[0] === 0x7b ? head.toString('utf8') : head.toString('hex')
  return body.length > summaryBytesMax ? `${text} ...` : text
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
