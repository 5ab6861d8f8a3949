import { isUtf8 } from 'node:buffer'
import { TooLongHere } from '../../base/index.ts'
import {
  type DecodedYaml,
  DecodeError,
  decodeJsonAsYaml,
  decodeYaml,
  TooManyValues,
  warningsOf,
  yamlInlineBytesMax,
} from '../../codec/index.ts'
import { type ApiObject, type GroupVersionKind, jsonOf, statusErrors } from '../../object/index.ts'
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
import type { EndpointServices } from '../endpointservices.ts'

/**
 * A request's object, typed and with defaults; reports unknown and duplicate fields as warnings where the option says
 * so.
 */
export async function readObject(
  call: Call,
  codec: BodyCodec,
  { negotiator, gvk: expected }: Pick<Endpoint, 'negotiator' | 'gvk'>,
  fieldValidation: FieldValidationOption,
  services: BodyServices,
): Promise<() => ApiObject> {
  const { body, mediaType } = await bodyOf(call, negotiator, expected, services)
  const options = { mediaType, expected, fieldValidation: fieldValidationOf(fieldValidation) }
  const { object, strictErrors } = decodeRequestBody(codec, body, options, services)
  for (const text of warningsOf(strictErrors)) call.warnings.add(text)
  call.audit.request?.(object)
  // A retried update starts from the body again: the first attempt changed the object.
  let first: ApiObject | undefined = object
  return () => {
    if (first === undefined) return codec.decodeObject(body, { mediaType, expected }).object
    const mine = first
    first = undefined
    return mine
  }
}

type BodyCodec = Pick<ObjectCodec, 'decodeObject'>
type BodyServices = Pick<EndpointServices, 'largeWork'>

/** Throws TooLongHere where defaults made the object a large one, and threads process large ones. */
export function decodeRequestBody(
  codec: BodyCodec,
  body: Uint8Array | JsonTree,
  options: DecodeOptions,
  { largeWork }: Pick<EndpointServices, 'largeWork'>,
): Decoded {
  const decoded = codec.decodeObject(body, options)
  if (decoded.isGrown && largeWork) throw new TooLongHere()
  return decoded
}

/** An object of a client in this process is decoded like its JSON: the store never keeps the client's own object. */
async function bodyOf(
  call: Call,
  negotiator: Negotiator,
  expected: GroupVersionKind,
  services: BodyServices,
): Promise<{ body: Uint8Array | JsonTree; mediaType: MediaTypeName }> {
  const { object } = call.objects ?? {}
  if (object) return { body: { tree: jsonOf(object) }, mediaType: 'application/json' }
  const format = negotiator.body(call.headers['content-type'])
  const mediaType = formatMediaTypes[format]
  const body = await readBody(call, format)
  if (format !== 'yaml') return { body, mediaType }
  try {
    const { value, duplicates } = readYaml(body, services)
    return { body: { tree: value, duplicates }, mediaType }
  } catch (error) {
    throw unreadable(error, expected, body)
  }
}

/** Throws DecodeError, TooManyValues, and TooLongHere. */
export function readYaml(body: Uint8Array, { largeWork }: Pick<EndpointServices, 'largeWork'>): DecodedYaml {
  const json = decodeJsonAsYaml(body)
  if (json) return json
  if (largeWork && body.length > yamlInlineBytesMax) throw new TooLongHere()
  return decodeYaml(body)
}

/** The error of a body that the kindCodec reads itself, with its text. */
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
 * Refuses text that is not UTF-8: decoding would silently store something else than the client sent. Accepts it in
 * protobuf, since stock clients cut the texts of events anywhere.
 */
export async function readBody(call: Call, format: Format): Promise<Uint8Array> {
  const body = await call.body()
  if ((format === 'json' || format === 'yaml') && !isUtf8(body))
    throw statusErrors.badRequest('the body of the request is not valid UTF-8')
  return body
}

/** Checks that the name in a body is that of the URL. */
export function checkName(object: ApiObject, name: string): void {
  const inBody = object.metadata.name ?? ''
  if (inBody === name) return
  if (inBody === '')
    throw statusErrors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  throw statusErrors.badRequest(`the name of the object (${inBody}) does not match the name on the URL (${name})`)
}

/** Checks that a patched object has the name and namespace of the URL. */
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

/** Admission may not move the object to a place for which its request was not authorized. */
export function checkAfterAdmission(object: ApiObject, call: Call, endpoint: Endpoint): void {
  ensureNamespace(object, endpoint.namespaced ? call.info.namespace : '')
  dropRepeatedOwners(object, call)
}

/** Keeps one owner reference for each uid; drops duplicates with a warning. */
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
