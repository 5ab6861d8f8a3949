import { isUtf8 } from 'node:buffer'
import { type Breather, largeBytesMin } from '../../base/index.ts'
import { DecodeError, TooManyValues, warningsOf, type YamlReader, yamlInlineBytesMax } from '../../codec/index.ts'
import { type ApiObject, type GroupVersionKind, type JsonValue, statusErrors } from '../../object/index.ts'
import { ensureNamespace } from '../../registry/index.ts'
import {
  type Call,
  type FieldValidationOption,
  type Format,
  formatMediaTypes,
  type MediaTypeName,
  type Negotiator,
} from '../../request/index.ts'
import { type Decoded, type DecodeOptions, type JsonTree, type ObjectCodec, summarizeBody } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'

/** A request's object, typed and with defaults; unknown and duplicate fields have become warnings where that is asked for. */
export async function readObject(
  call: Call,
  codec: BodyCodec,
  negotiator: Negotiator,
  expected: GroupVersionKind,
  fieldValidation: FieldValidationOption,
  { yaml, breather }: { readonly yaml: YamlReader; readonly breather?: Breather },
): Promise<() => ApiObject> {
  const { body, mediaType } = await bodyOf(call, negotiator, expected, yaml, breather)
  if (breather?.isLarge) await breather.pause()
  const validation = fieldValidationOf(fieldValidation)
  const decoded = decodeBody(codec, body, { mediaType, expected, fieldValidation: validation }, breather)
  const { object, strictErrors } = decoded instanceof Promise ? await decoded : decoded
  for (const text of warningsOf(strictErrors)) call.warnings.add(text)
  if (breather?.isLarge) await breather.pause()
  call.audit.request?.(object)
  // A second try of an update starts from the body again: the first one changed the object.
  let first: ApiObject | undefined = object
  return () => {
    if (first === undefined) return codec.decodeObject(body, { mediaType, expected }).object
    const mine = first
    first = undefined
    return mine
  }
}

type BodyCodec = Pick<ObjectCodec, 'decodeObject' | 'decodeInSlices' | 'prepareDecoding'>

/** Decodes a body; a large one with pauses where its codec has any. */
export function decodeBody(
  codec: BodyCodec,
  body: Uint8Array | JsonTree,
  options: DecodeOptions,
  breather: Breather | undefined,
): Decoded | Promise<Decoded> {
  const preparing = breather && codec.prepareDecoding?.(options.expected)
  return preparing
    ? breather.runWithPauses(preparing).then(() => decodePrepared(codec, body, options, breather))
    : decodePrepared(codec, body, options, breather)
}

function decodePrepared(
  codec: BodyCodec,
  body: Uint8Array | JsonTree,
  options: DecodeOptions,
  breather: Breather | undefined,
): Decoded | Promise<Decoded> {
  if (breather?.isLarge && codec.decodeInSlices) return breather.runWithPauses(codec.decodeInSlices(body, options))
  const decoded = codec.decodeObject(body, options)
  if (decoded.isGrown) breather?.note(largeBytesMin)
  return decoded
}

/**
 * An object of a client in this process is decoded as its JSON would be: the store never holds the client's own object.
 */
async function bodyOf(
  call: Call,
  negotiator: Negotiator,
  expected: GroupVersionKind,
  yaml: YamlReader,
  breather: Breather | undefined,
): Promise<{ body: Uint8Array | JsonTree; mediaType: MediaTypeName }> {
  const { object } = call.objects ?? {}
  if (object) return { body: { tree: object as unknown as JsonValue }, mediaType: 'application/json' }
  const format = negotiator.body(call.headers['content-type'])
  const mediaType = formatMediaTypes[format]
  const body = await readBody(call, format)
  breather?.note(body.length)
  if (format !== 'yaml' || body.length <= yamlInlineBytesMax) return { body, mediaType }
  try {
    const { value, duplicates } = await yaml.read(body, breather)
    return { body: { tree: value, duplicates }, mediaType }
  } catch (error) {
    throw unreadable(error, expected, body)
  }
}

/** As the scheme says it of a body that it reads itself. */
function unreadable(error: unknown, { kind }: GroupVersionKind, body: Uint8Array): unknown {
  if (error instanceof TooManyValues) return statusErrors.tooLarge(error.message)
  if (!(error instanceof DecodeError)) return error
  const why = `the object provided is unrecognized (must be of type ${kind}): ${error.message}`
  return statusErrors.badRequest(`${why} (${summarizeBody(body)})`, error)
}

/** The default of fieldValidation is Warn. */
export function fieldValidationOf(option: FieldValidationOption): Exclude<FieldValidationOption, ''> {
  return option === '' ? 'Warn' : option
}

/**
 * Refuses text that is not UTF-8: decoding would store something else than was sent, without a word. Protobuf is left
 * alone, since stock clients cut the texts of events anywhere.
 */
export async function readBody(call: Call, format: Format): Promise<Uint8Array> {
  const body = await call.body()
  if ((format === 'json' || format === 'yaml') && !isUtf8(body))
    throw statusErrors.badRequest('the body of the request is not valid UTF-8')
  return body
}

/** The name in a body is that of the URL. */
export function checkName(object: ApiObject, name: string): void {
  const inBody = object.metadata.name ?? ''
  if (inBody === name) return
  if (inBody === '')
    throw statusErrors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  throw statusErrors.badRequest(`the name of the object (${inBody}) does not match the name on the URL (${name})`)
}

/** The name and namespace that a patch leaves an object with are those of the URL. */
export function checkNames(object: ApiObject, call: Call, endpoint: Endpoint): void {
  checkName(object, call.info.name)
  const { namespace = '' } = object.metadata
  const expected = endpoint.namespaced ? call.info.namespace : ''
  if (namespace === expected) return
  if (namespace === '') object.metadata.namespace = expected
  else if (expected === '') delete object.metadata.namespace
  else
    throw statusErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
}

/** Admission may not move the object to where its request was not authorized for. */
export function checkAfterAdmission(object: ApiObject, call: Call, endpoint: Endpoint): void {
  ensureNamespace(object, endpoint.namespaced ? call.info.namespace : '')
  dropRepeatedOwners(object, call)
}

/** One owner reference a uid; repeats are dropped with a warning. */
export function dropRepeatedOwners(object: ApiObject, call: Call): void {
  const owners = object.metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const seen = new Set<string>()
  const repeated: string[] = []
  const kept = owners.filter((owner) => {
    const key = JSON.stringify(owner)
    if (!seen.has(key)) {
      seen.add(key)
      return true
    }
    repeated.push(owner.uid)
    return false
  })
  if (repeated.length === 0) return
  object.metadata.ownerReferences = kept
  call.warnings.add(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...new Set(repeated)].join(', ')}`,
  )
}
