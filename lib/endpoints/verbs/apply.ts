import { type FieldOwnership, jsonTypeName, ownersOfScale, withOwnersOfScale } from '../../apply/index.ts'
import { isRecord } from '../../base/index.ts'
import { DecodeError, decodeCbor, formatDuplicates, TooManyValues, valuesMax } from '../../codec/index.ts'
import { type ApiObject, copyObject, formatGroupVersion, jsonOf, statusErrors } from '../../object/index.ts'
import type { Existing } from '../../registry/index.ts'
import { type Call, type PatchRequestOptions, parsePatchOptions } from '../../request/index.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { mutate } from '../request/admit.ts'
import {
  checkAfterAdmission,
  checkName,
  checkNames,
  decodeRequestBody,
  dropRepeatedOwners,
  fieldValidationOf,
  readBody,
  readYaml,
} from '../request/body.ts'
import {
  admissionSubject,
  changeContext,
  ignoreOwnershipTimes,
  optionFields,
  ownershipContext,
} from '../request/write.ts'

/** The formats of an apply configuration; JSON is YAML. */
export type ApplyFormat = 'yaml' | 'cbor'

/** PATCH with an apply configuration: the fields that its manager wants to own, of an existing or new object. */
export async function apply(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  { ownership, format }: { readonly ownership: FieldOwnership; readonly format: ApplyFormat },
): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const { namespace, name, subresource } = call.info
  const { admission } = services
  const options = parsePatchOptions(call.query, { apply: true })
  const target = endpoint.registry.target(namespace, name)
  const body = await readBody(call, format)
  step(call, services, 'limitedReadBody succeeded', { len: body.length })
  const { configuration, duplicates } = readConfiguration(body, format, services)
  const subject = admissionSubject(call, endpoint, name, options.dryRun, optionFields(options))

  const transform = async (existing: Existing | undefined): Promise<ApiObject> => {
    if (!existing && subresource !== '') throw statusErrors.notFound(endpoint.gvr, name)
    step(call, services, 'About to apply patch')
    const live = existing && liveOf(endpoint, existing.object)
    const about = ownershipContext(endpoint, services, { manager: options.fieldManager, subresource })
    const change = { ...about, force: options.force ?? false }
    const { object: applied, unchanged } = ownership.onApply(live, configuration, change)
    if (!existing) refuseUid(applied, endpoint, name)
    reportDuplicates(duplicates, call, options)
    // Decoding such an object with defaults once more would only copy it.
    const isTyped = unchanged && live === existing?.object && !endpoint.capabilities.convertsOnRead
    const object = isTyped ? copyOf(applied) : canonical(applied, call, endpoint, options, services)
    checkNames(object, call, endpoint)
    dropRepeatedOwners(object, call)
    step(call, services, 'About to check admission control')
    await mutate(admission, subject, live ? 'UPDATE' : 'CREATE', object, live)
    checkAfterAdmission(object, call, endpoint)
    if (!live) checkName(object, name)
    if (live) ignoreOwnershipTimes(services, object, live)
    return existing ? wholeOf(endpoint, object, existing.object) : endpoint.toWorking(object)
  }
  const written = await endpoint.registry.update(
    target,
    { transform, subresource: endpoint.main ? '' : subresource, createMissing: subresource === '' },
    { ...changeContext(call, endpoint, services, subject), isApply: true },
  )
  step(call, services, 'Object stored in database')
  return rendering.written(written.created ? 201 : 200, written)
}

/** A uid in a configuration refers to an existing object: none is created in its place. */
function refuseUid({ metadata: { uid = '' } }: ApiObject, { gvr }: Endpoint, name: string): void {
  if (uid === '') return
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  throw statusErrors.conflict(gvr, name, why)
}

/** The object that the configuration is merged into; a scale's owners are those of the object's replicas. */
function liveOf(endpoint: Endpoint, existing: ApiObject): ApiObject {
  const live = endpoint.toServed(existing)
  if (!endpoint.main) return live
  const managedFields = ownersOfScale(existing.metadata.managedFields ?? [])
  return { ...live, metadata: { ...live.metadata, managedFields } }
}

function wholeOf(endpoint: Endpoint, object: ApiObject, existing: ApiObject): ApiObject {
  const { main } = endpoint
  const whole = endpoint.toWorking(object, existing)
  if (!main) return whole
  const { managedFields: before = [] } = existing.metadata
  const { managedFields: _, ...metadata } = whole.metadata
  const owners = withOwnersOfScale(before, object.metadata.managedFields ?? [], formatGroupVersion(main.gvk))
  return { ...whole, metadata: owners ? { ...metadata, managedFields: owners } : metadata }
}

interface Configuration {
  readonly configuration: ApiObject
  /** Duplicate keys of maps. */
  readonly duplicates: readonly string[]
}

function readConfiguration(body: Uint8Array, format: ApplyFormat, services: EndpointServices): Configuration {
  const name = format.toUpperCase()
  try {
    // CBOR with a duplicate key is refused.
    const { value, duplicates } =
      format === 'cbor' ? { value: decodeCbor(body, valuesMax), duplicates: [] } : readYaml(body, services)
    if (isRecord(value)) return { configuration: value as ApiObject, duplicates }
    // As an empty document comes.
    if (value === null) return { configuration: {} as ApiObject, duplicates }
    const why = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`
    throw statusErrors.badRequest(
      `error decoding ${name}: ${format === 'yaml' ? 'error unmarshaling JSON: while decoding JSON: ' : ''}${why}`,
    )
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
    const why = format === 'yaml' ? `error converting YAML to JSON: ${error.message}` : error.message
    throw statusErrors.badRequest(`error decoding ${name}: ${why}`, error)
  }
}

/** Only after the apply itself: its conflicts have precedence. */
function reportDuplicates(duplicates: readonly string[], call: Call, { fieldValidation }: PatchRequestOptions): void {
  if (duplicates.length === 0 || fieldValidation === 'Ignore') return
  if (fieldValidation === 'Strict') {
    const found = `error converting YAML to JSON: ${formatDuplicates(duplicates)}`
    throw statusErrors.badRequest(`error strict decoding YAML: ${found}`)
  }
  for (const line of duplicates) call.warnings.add(line)
}

/** A copy that admission may change; owners are replaced, never changed. */
function copyOf(object: ApiObject): ApiObject {
  const { managedFields, ...metadata } = object.metadata
  const copy: ApiObject = copyObject({ ...object, metadata })
  if (managedFields) copy.metadata.managedFields = managedFields
  return copy
}

/** The result as a client's PUT would give it: canonical values, with defaults. */
function canonical(
  applied: ApiObject,
  call: Call,
  endpoint: Endpoint,
  { fieldValidation }: PatchRequestOptions,
  services: EndpointServices,
): ApiObject {
  // The engine's managedFields are canonical, and better not copied: the engine recognizes sets that it has seen.
  const { managedFields, ...metadata } = applied.metadata
  const { object, strictErrors } = decodeRequestBody(
    endpoint.codec,
    { tree: jsonOf({ ...applied, metadata }) },
    {
      mediaType: 'application/json',
      expected: endpoint.gvk,
      fieldValidation: fieldValidationOf(fieldValidation),
      keepsNulls: true,
    },
    services,
  )
  for (const text of strictErrors) call.warnings.add(text)
  if (managedFields) object.metadata.managedFields = managedFields
  return object
}
