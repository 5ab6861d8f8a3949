import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, formatGo } from '../../apply/index.ts'
import { isRecord } from '../../base/index.ts'
import {
  checkValues,
  DecodeError,
  decodeUntyped,
  explainTree,
  mayExceedValues,
  parseOwnJson,
  strictErrorsMax,
  TooManyValues,
  valuesMax,
  writeJson,
} from '../../codec/index.ts'
import {
  type ApiObject,
  copyObject,
  countValues,
  fieldErrors,
  formatGroupVersion,
  type JsonObject,
  type ManagedFieldsEntry,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { Existing } from '../../registry/index.ts'
import { type Call, type PatchRequestOptions, parsePatchOptions } from '../../request/index.ts'
import type { StructType } from '../../schema/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { type AdmissionSubject, mutate } from '../request/admit.ts'
import {
  checkAfterAdmission,
  checkNames,
  decodeRequestBody,
  dropRepeatedOwners,
  fieldValidationOf,
  readBody,
} from '../request/body.ts'
import { managerOf } from '../request/manager.ts'
import { admissionSubject, changeContext, optionFields, prepareForStorage } from '../request/write.ts'
import { type ApplyFormat, apply } from './apply.ts'

type PatchType = 'json' | 'merge' | 'strategic'

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
}

/** Formats of apply configurations by their media type. */
const applyFormats: Readonly<Record<string, ApplyFormat>> = {
  'application/apply-patch+yaml': 'yaml',
  'application/apply-patch+cbor': 'cbor',
}

/** PATCH of an object, or of a subresource that is a part of it. */
export async function patch(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const mediaType = mediaTypeOf(call)
  const applied = applyFormatOf(mediaType, endpoint)
  if (applied !== undefined && services.ownership)
    return apply(call, endpoint, services, { ownership: services.ownership, format: applied })
  const type = patchTypeOf(mediaType, endpoint)
  const rendering = renderingOf(call, endpoint, services)
  const { namespace, name, subresource } = call.info
  const options = parsePatchOptions(call.query, { apply: false })
  const target = endpoint.registry.target(namespace, name)
  const body = await readBody(call, 'json')
  step(call, services, 'limitedReadBody succeeded', { len: body.length })
  const parsed = parsePatch(body, type, options)
  const subject = admissionSubject(call, endpoint, name, options.dryRun, optionFields(options))
  const written = await endpoint.registry.update(
    target,
    {
      subresource: endpoint.main ? '' : subresource,
      transform: transformOf(call, endpoint, services, { ...parsed, type, options, subject }),
    },
    changeContext(call, endpoint, services, subject),
  )
  step(call, services, 'Object stored in database')
  return rendering.written(200, written)
}

function mediaTypeOf(call: Call): string {
  return (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Undefined for other patches, and for CBOR while its gate is off. */
function applyFormatOf(mediaType: string, { negotiator }: Endpoint): ApplyFormat | undefined {
  const found = Object.hasOwn(applyFormats, mediaType) ? applyFormats[mediaType] : undefined
  return found === 'cbor' && !negotiator.formats.includes(found) ? undefined : found
}

/** Throws 415, with another text where there is no strategic merge. */
function patchTypeOf(mediaType: string, { capabilities: { strategicMerge } }: Endpoint): PatchType {
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined
  if (type !== undefined && (strategicMerge || type !== 'strategic')) return type
  throw statusErrors.unsupportedMediaType(
    strategicMerge
      ? '415: Unsupported Media Type'
      : 'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  )
}

interface ParsedPatch {
  /** Number of bytes of the patch's text. */
  readonly bytes: number
  readonly document: unknown
  /** Duplicate fields of the patch itself, and unknown ones of its operations; none under Ignore. */
  readonly strictErrors: readonly string[]
}

function parsePatch(body: Uint8Array, type: PatchType, { fieldValidation }: PatchRequestOptions): ParsedPatch {
  const strict = fieldValidationOf(fieldValidation) !== 'Ignore'
  try {
    checkValues(body)
    const { value: document, strictErrors } = decodeUntyped(body, { strict })
    if (type !== 'json' || !strict)
      return { bytes: body.length, document, strictErrors: strictErrors.slice(0, strictErrorsMax) }
    const found = [...unknownOperationFields(document), ...strictErrors].slice(0, strictErrorsMax)
    return { bytes: body.length, document, strictErrors: found.map((each) => `json patch ${each}`) }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
    throw statusErrors.badRequest(
      type === 'strategic' ? error.message : `error decoding patch: ${error.message}`,
      error,
    )
  }
}

const operationFields = new Set(['op', 'path', 'from', 'value'])

function unknownOperationFields(operations: unknown): string[] {
  if (!Array.isArray(operations)) return []
  return operations.flatMap((operation: unknown, index) =>
    operation === null || typeof operation !== 'object'
      ? []
      : Object.keys(operation)
          .filter((field) => !operationFields.has(field))
          .map((field) => `unknown field "[${index}].${field}"`),
  )
}

interface PatchRequest extends ParsedPatch {
  readonly type: PatchType
  readonly options: PatchRequestOptions
  readonly subject: AdmissionSubject
}

function transformOf(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  request: PatchRequest,
): (existing: Existing | undefined) => Promise<ApiObject> {
  const { admission } = services
  const { type, document, options, subject } = request
  const { name, subresource } = call.info
  const manager = managerOf(options.fieldManager, call.headers['user-agent'])
  return async (existing) => {
    if (!existing) throw statusErrors.notFound(endpoint.gvr, name)
    step(call, services, 'About to apply patch')
    const current = liveJson(endpoint, existing)
    const { live, bytes, isShared } = current
    const before = mayExceedValues(bytes) ? countOwnValues(live) : 0
    const patched = applyPatch(type, current, document, endpoint)
    if (mayExceedValues(bytes + request.bytes)) checkGrowth(patched, before)
    const owners = isShared && hasOwnersOf(patched, live) ? existing.object.metadata.managedFields : undefined
    const object = typed(patched, owners, call, endpoint, request, services)
    checkNames(object, call, endpoint)
    dropRepeatedOwners(object, call)
    return prepareForStorage(endpoint, services, { object, existing, manager, subresource }, async (owned, live) => {
      step(call, services, 'About to check admission control')
      await mutate(admission, subject, 'UPDATE', owned, live)
      checkAfterAdmission(owned, call, endpoint)
    })
  }
}

/** Refuses sizes that a body could not have; an object that was as large before may shrink or change. */
function checkGrowth(patched: JsonObject, valuesBefore: number): void {
  const values = countOwnValues(patched)
  if (values > valuesMax && values > valuesBefore) throw statusErrors.tooLarge(new TooManyValues().message)
}

/** Ignores managedFields. */
function countOwnValues(object: JsonObject): number {
  const { metadata } = object
  return countValues(object) - countValues(isRecord(metadata) ? metadata['managedFields'] : undefined)
}

/** An object in the form that clients see, to which their patch applies. */
interface LiveJson {
  readonly live: JsonObject
  /** About the length of its text. */
  readonly bytes: number
  /** It shares parts with the object. */
  readonly isShared?: boolean
}

/** The text of a larger object counts its values, and is often kept. */
const valueBytesMax = 16 * 1024

function liveJson(endpoint: Endpoint, { entry, object, stored }: Existing): LiveJson {
  const { codec, gvk } = endpoint
  const typeMeta = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
  const value =
    endpoint.main || stored.length > valueBytesMax ? undefined : codec.itemValue?.(endpoint.toServed(object))
  if (value) return { live: { ...typeMeta, ...value }, bytes: stored.length, isShared: true }
  const item = entry
    ? entry.bytes(endpoint.item('json'))
    : codec.encodeItem(endpoint.toServed(object), 'application/json')
  const fields = parseOwnJson(item) as JsonObject
  return { live: { ...typeMeta, ...fields }, bytes: item.length }
}

/** Whether a patch has left the list of owners as it was. */
function hasOwnersOf(patched: JsonObject, live: JsonObject): boolean {
  const { metadata } = patched
  const owners = isRecord(metadata) ? metadata['managedFields'] : undefined
  return owners !== undefined && isRecord(live.metadata) && owners === live.metadata['managedFields']
}

function withoutOwners(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata as JsonObject // see hasOwnersOf
  return { ...object, metadata }
}

/** Reuses parts of `live` in the result. */
function applyPatch(
  type: PatchType,
  { live, isShared = false }: LiveJson,
  document: unknown,
  endpoint: Endpoint,
): JsonObject {
  if (type === 'merge') return applyMergePatch(live, document)
  const own = isShared ? copyObject(live) : live
  return type === 'json' ? applyJsonPatch(own, document) : applyStrategicPatch(own, document, endpoint)
}

function applyStrategicPatch(live: JsonObject, document: unknown, endpoint: Endpoint): JsonObject {
  const { kind, apiVersion } = live
  // The result keeps the object's kind, whatever the patch contains.
  const patched = applyStrategicMergePatch(live, document, structOf(endpoint))
  return { ...patched, kind, apiVersion } as JsonObject
}

function structOf({ gvk, registry, codec }: Endpoint): StructType {
  return codec.kind(gvk)?.struct ?? registry.definition.struct
}

/**
 * Converts the patched JSON to an object of its type. Errors are the patch's: 422 with the whole document, or with the
 * patch where it was merged into an object rather than a text. Redacted for confidential resources: a client with patch
 * may lack read access. `owners`: those of the live object, which the patch has not changed.
 */
function typed(
  patched: JsonObject,
  owners: ManagedFieldsEntry[] | undefined,
  call: Call,
  endpoint: Endpoint,
  { type, document, strictErrors: found, options }: PatchRequest,
  services: EndpointServices,
): ApiObject {
  const invalid = (why: string, cause?: unknown): StatusError => {
    const shown = shownPatch(patched, { type, document }, endpoint)
    const error = statusErrors.invalid({ group: '', kind: '' }, '', [fieldErrors.invalid('patch', shown, why)])
    return new StatusError(error.code, error.reason, error.message, {
      ...(error.details ? { details: error.details } : {}),
      cause,
    })
  }
  const validation = fieldValidationOf(options.fieldValidation)
  const { gvk } = endpoint
  try {
    const fieldValidation = validation === 'Strict' ? 'Warn' : validation
    const about = { mediaType: 'application/json', expected: gvk, fieldValidation } as const
    const tree = owners ? withoutOwners(patched) : patched
    const { object, strictErrors } = decodeRequestBody(endpoint.codec, { tree }, about, services)
    // By reference: so the engine recognizes them.
    if (owners) object.metadata.managedFields = owners
    const all = [...found, ...strictErrors]
    if (validation === 'Strict' && all.length > 0) throw invalid(`strict decoding error: ${all.join(', ')}`)
    for (const warning of all) call.warnings.add(warning)
    return object
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 400)) throw error
    const prefix = `${gvk.kind} in version "${gvk.version}" cannot be handled as a ${gvk.kind}: `
    // The object is no body from a client.
    const text = error.cause instanceof DecodeError ? error.cause.message : error.message
    const why = text.startsWith(prefix) ? text.slice(prefix.length) : text
    // Only a strategic merge patch applies to an object, without a text as the result.
    const mismatch = type === 'strategic' ? explainTree(patched, structOf(endpoint)) : undefined
    throw invalid(mismatch ?? why, error)
  }
}

function shownPatch(
  patched: JsonObject,
  { type, document }: Pick<PatchRequest, 'type' | 'document'>,
  { registry }: Endpoint,
): string {
  if (registry.definition.table.confidential) return '<contents redacted>'
  if (type === 'strategic') return formatGo(document)
  return writeJson(Object.fromEntries(Object.entries(patched).sort(([a], [b]) => (a < b ? -1 : 1))))
}
