import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from '../apply/index.ts'
import { DecodeError, parseJson, writeJson } from '../codec/index.ts'
import {
  type ApiObject,
  fieldErrors,
  formatGroupVersion,
  type JsonObject,
  StatusError,
  statusErrors,
} from '../object/index.ts'
import type { Existing } from '../registry/index.ts'
import { type Call, type PatchOptions, parsePatchOptions } from '../request/index.ts'
import { type AdmissionSubject, mutate } from './admit.ts'
import { apply } from './apply.ts'
import { checkNames, dropRepeatedOwners, fieldValidationOf, readBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { managerOf } from './manager.ts'
import { respondWritten } from './respond.ts'
import type { Services } from './services.ts'
import { admissionSubject, changeContext, optionFields, settle } from './write.ts'

type PatchType = 'json' | 'merge' | 'strategic'

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
}

const applyType = 'application/apply-patch+yaml'

/** PATCH of an object, or of a subresource that is a part of it. */
export async function patch(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const mediaType = mediaTypeOf(call)
  if (mediaType === applyType && services.ownership) return apply(call, endpoint, services, services.ownership)
  const type = patchTypeOf(mediaType, endpoint)
  const negotiated = endpoint.negotiator.response(call.headers['accept'])
  const { namespace, name, subresource } = call.info
  const options = parsePatchOptions(call.query, { apply: false })
  const target = endpoint.registry.target(namespace, name)
  const document = parsePatch(await readBody(call, 'json'))
  const subject = admissionSubject(call, endpoint, name, options.dryRun, {
    kind: 'PatchOptions',
    fields: optionFields(options),
  })
  const written = await endpoint.registry.update(
    target,
    {
      subresource: endpoint.main ? '' : subresource,
      transform: transformOf(call, endpoint, services, { type, document, options, subject }),
    },
    changeContext(call, endpoint, services, subject),
  )
  return respondWritten(call, endpoint, services, negotiated, 200, written)
}

function mediaTypeOf(call: Call): string {
  return (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Custom resources know no strategic merge, and say so in other words. */
function patchTypeOf(mediaType: string, { custom }: Endpoint): PatchType {
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined
  if (type !== undefined && !(custom && type === 'strategic')) return type
  throw statusErrors.unsupportedMediaType(
    custom
      ? 'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml'
      : '415: Unsupported Media Type',
  )
}

function parsePatch(body: Uint8Array): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw statusErrors.badRequest(`error decoding patch: ${error.message}`, error)
  }
}

interface PatchRequest {
  readonly type: PatchType
  readonly document: unknown
  readonly options: PatchOptions
  readonly subject: AdmissionSubject
}

function transformOf(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  { type, document, options, subject }: PatchRequest,
): (existing: Existing | undefined) => Promise<ApiObject> {
  const { admission } = services
  const { name, subresource } = call.info
  const manager = managerOf(options.fieldManager, call.headers['user-agent'])
  return async (existing) => {
    if (!existing) throw statusErrors.notFound(endpoint.registry.definition.gvr, name)
    const patched = applyPatch(type, liveJson(endpoint, services, existing), document, services, endpoint)
    const object = typed(patched, call, endpoint, services, options)
    checkNames(object, call, endpoint)
    dropRepeatedOwners(object, call)
    return settle(endpoint, services, { object, existing, manager, subresource }, async (owned, live) => {
      await mutate(admission, subject, 'UPDATE', owned, live)
      dropRepeatedOwners(owned, call)
    })
  }
}

/** What clients see of the object, which is what their patch is about. */
function liveJson(endpoint: Endpoint, { scheme }: Services, { entry, object }: Existing): JsonObject {
  const item = entry
    ? entry.bytes(endpoint.item('json'))
    : scheme.encodeItem(endpoint.fromHub(object), 'application/json')
  const fields = parseJson(item) as JsonObject
  return { kind: endpoint.gvk.kind, apiVersion: formatGroupVersion(endpoint.gvk), ...fields }
}

function applyPatch(
  type: PatchType,
  live: JsonObject,
  document: unknown,
  { scheme }: Services,
  endpoint: Endpoint,
): JsonObject {
  switch (type) {
    case 'json':
      return applyJsonPatch(live, document)
    case 'merge':
      return applyMergePatch(live, document)
    case 'strategic':
      return applyStrategicMergePatch(
        live,
        document,
        scheme.kind(endpoint.gvk)?.struct ?? endpoint.registry.definition.struct,
      )
  }
}

/** The patched JSON as an object of its type. What does not fit is the patch's fault: 422 with the whole document. */
function typed(
  patched: JsonObject,
  call: Call,
  endpoint: Endpoint,
  { scheme }: Services,
  options: PatchOptions,
): ApiObject {
  const invalid = (why: string, cause?: unknown): StatusError => {
    const shown = writeJson(Object.fromEntries(Object.entries(patched).sort(([a], [b]) => (a < b ? -1 : 1))))
    const error = statusErrors.invalid({ group: '', kind: '' }, '', [fieldErrors.invalid('patch', shown, why)])
    return new StatusError(error.code, error.reason, error.message, {
      ...(error.details ? { details: error.details } : {}),
      cause,
    })
  }
  const validation = fieldValidationOf(options.fieldValidation)
  const { gvk } = endpoint
  try {
    const { object, strictErrors } = scheme.decodeObject(
      { tree: patched },
      {
        mediaType: 'application/json',
        expected: gvk,
        fieldValidation: validation === 'Strict' ? 'Warn' : validation,
      },
    )
    if (validation === 'Strict' && strictErrors.length > 0)
      throw invalid(`strict decoding error: ${strictErrors.join(', ')}`)
    for (const warning of strictErrors) call.warnings.add(warning)
    return object
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 400)) throw error
    const prefix = `${gvk.kind} in version "${gvk.version}" cannot be handled as a ${gvk.kind}: `
    const why = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
    throw invalid(why, error)
  }
}
