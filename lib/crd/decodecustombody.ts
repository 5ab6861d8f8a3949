import { isRecord } from '../base/index.ts'
import { DecodeError, strictErrorsMax, TooManyValues } from '../codec/index.ts'
import {
  type ApiObject,
  fieldErrors,
  formatGroupVersion,
  type GroupVersionKind,
  type JsonValue,
  parseGroupVersion,
  StatusError,
  statusErrors,
} from '../object/index.ts'
import type { Decoded, DecodeOptions, JsonTree, MediaType } from '../scheme/index.ts'
import { checkTypeMeta, parseCustomBody, summarize } from './custombody.ts'
import type { CustomMetadata } from './custommetadata.ts'
import { dropNulls } from './schema/defaults.ts'
import { coerceEmbedded } from './schema/embedded.ts'
import { prune } from './schema/prune.ts'
import type { VersionSchema } from './schema/versionschema.ts'

/** A custom object from a request's body: typed metadata, pruned, with defaults, not validated yet. */
export function decodeCustomBody(
  body: Uint8Array | JsonTree,
  { mediaType, expected, fieldValidation = 'Ignore', defaults = true, keepsNulls = false }: DecodeOptions,
  schemaOf: (version: string) => VersionSchema | undefined,
  metadata: CustomMetadata,
): Decoded {
  const strict = fieldValidation !== 'Ignore'
  const { object, duplicates } = parse(body, mediaType, expected, strict)
  const schema = schemaOf(expected.version)
  if (!schema) throw statusErrors.noSuchResource()
  let unknown: string[]
  try {
    unknown = pruned(object, schema, metadata, { strict, keepsNulls })
  } catch (error) {
    throw cannotBeHandled(expected, error)
  }
  const isGrown = defaults && schema.defaults.apply(object)
  const strictErrors = [...duplicates, ...unknown.map((path) => `unknown field "${path}"`)]
  if (strictErrors.length > strictErrorsMax) strictErrors.length = strictErrorsMax
  if (fieldValidation === 'Strict' && strictErrors.length > 0)
    throw cannotBeHandled(expected, new Error(`strict decoding error: ${strictErrors.join(', ')}`))
  return { object, strictErrors, isGrown }
}

/**
 * Converts the metadata to their type and removes, in place, what the schema does not have; answers the paths of that,
 * in order, on request.
 */
function pruned(
  object: ApiObject,
  { root }: VersionSchema,
  metadata: CustomMetadata,
  { strict, keepsNulls }: { readonly strict: boolean; readonly keepsNulls: boolean },
): string[] {
  const unknown: string[] = []
  const report = (path: string): void => void (strict && unknown.push(path))
  for (const path of metadata.coerce(object, strict)) report(path)
  prune(root, object, strict ? unknown : undefined)
  if (!keepsNulls) dropNulls(root, object)
  if (root.below.embedded)
    coerceEmbedded(root, object, (holder, path) => {
      for (const each of metadata.coerce(holder, strict)) report(`${path}.${each}`)
    })
  return unknown.sort()
}

function parse(
  body: Uint8Array | JsonTree,
  mediaType: MediaType,
  expected: GroupVersionKind,
  strict: boolean,
): { object: ApiObject; duplicates: readonly string[] } {
  let parsed: { value: JsonValue; duplicates: readonly string[] }
  try {
    parsed = parseCustomBody(body, mediaType, strict)
    checkTypeMeta(parsed.value)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (error instanceof TooManyValues) throw statusErrors.tooLarge(error.message)
    const why = `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`
    throw statusErrors.badRequest(`${why} (${summarize(body)})`, error)
  }
  const object = parsed.value as ApiObject
  if (object.kind !== expected.kind) {
    const { name } = isRecord(object.metadata) ? object.metadata : { name: '' }
    const group = parseGroupVersion(object.apiVersion)?.group ?? ''
    throw statusErrors.invalid({ group, kind: object.kind }, typeof name === 'string' ? name : '', [
      fieldErrors.invalid('kind', object.kind, `must be ${expected.kind}`),
    ])
  }
  if (object.apiVersion !== formatGroupVersion(expected))
    throw statusErrors.badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${formatGroupVersion(expected)})`,
    )
  return { object, duplicates: parsed.duplicates }
}

function cannotBeHandled({ kind, version }: GroupVersionKind, cause: unknown): StatusError {
  if (cause instanceof StatusError) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return statusErrors.badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`, cause)
}
