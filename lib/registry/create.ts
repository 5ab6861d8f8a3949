import { appendAll } from '../base/index.ts'
import { readObjectMeta } from '../codec/index.ts'
import type { KindContext } from '../kinds/index.ts'
import { validateMetadata, validateQualifiedFinalizers } from '../kinds/index.ts'
import {
  type ApiObject,
  copyObject,
  FieldPath,
  fieldErrors,
  StatusError,
  statusErrors,
  toResourceVersion,
} from '../object/index.ts'
import { addEmptyStatus } from './addemptystatus.ts'
import { kindContext, type ResourceParts, type WriteContext, type WriteTarget, type Written } from './context.ts'
import { checkAuthorized, withAllocated } from './hooks.ts'
import { fillSystemMetadata, generateName } from './metadata.ts'
import { storeObject } from './store.ts'
import { validateKind } from './validatekind.ts'
import { withoutEmptyLists } from './withoutemptylists.ts'

const namePath = FieldPath.root('metadata').child('name')

/** Number of generated names that are tried before the client gets an error. */
const generateNameTriesMax = 8

/**
 * Stores a new object, in the hub version, without metadata that only the server sets. Throws 422 for an invalid
 * object, 409 when the name is taken.
 */
export async function createObject(parts: ResourceParts, sent: ApiObject, context: WriteContext): Promise<Written> {
  const object = withoutEmptyLists(parts.definition.struct, sent)
  const { generateName: base = '', name = '' } = object.metadata
  if (base === '' || name !== '') return attempt(parts, object, context)
  for (let tries = 1; ; tries++) {
    const last = tries === generateNameTriesMax
    const candidate = last ? object : copyObject(object)
    candidate.metadata.name = generateName(base, parts.random)
    try {
      return await attempt(parts, candidate, context)
    } catch (error) {
      if (last || !(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
    }
  }
}

async function attempt(parts: ResourceParts, object: ApiObject, context: WriteContext): Promise<Written> {
  prepareCreate(parts, object, context)
  return withAllocated(
    parts,
    object,
    undefined,
    context,
    async () => {
      await checkCreate(parts, object, context)
      const { name = '', namespace = '' } = object.metadata
      const key = parts.key(namespace, name)
      return storeNew(parts, object, { namespace, name, key }, context)
    },
    ({ stored }) => stored,
  )
}

/** Fills in and prepares a new object in place. */
export function prepareCreate(parts: ResourceParts, object: ApiObject, context: WriteContext): void {
  const { metadata } = object
  fillSystemMetadata(metadata, parts.clock, parts.random)
  parts.dropDisabledFields(parts.definition.struct, object, undefined)
  parts.kind.strategy?.prepareForCreate?.(object, kindContext(parts, context, metadata.namespace ?? ''))
  addEmptyStatus(parts.definition.struct, object)
}

/** Validates a new object and converts it to its stored form in place; only the write remains. */
export async function checkCreate(parts: ResourceParts, object: ApiObject, context: WriteContext): Promise<void> {
  const { definition, kind } = parts
  const { metadata } = object
  const strategy = kind.strategy ?? {}
  const about: KindContext = kindContext(parts, context, metadata.namespace ?? '')
  const findings = validateMetadata(metadata, {
    namespaced: definition.namespaced,
    name: (name, prefix) => kind.nameRule(name, prefix, parts.gate),
  })
  appendAll(findings, validateQualifiedFinalizers(metadata, definition.gvk))
  const { reservedNames } = kind
  const isReserved = reservedNames !== undefined && metadata.name?.endsWith(reservedNames.suffix) === true
  if (isReserved && parts.gate(reservedNames.gate))
    findings.push(fieldErrors.invalid(namePath, metadata.name, reservedNames.message))
  appendAll(findings, validateKind(strategy, object, undefined, about))
  const errors =
    parts.declarative?.(definition.struct, object, undefined, findings, kind.isDeclared === true) ?? findings
  if (errors.length > 0) throw statusErrors.invalid(definition.gvk, metadata.name ?? '', errors)
  const authorized = checkAuthorized(parts, object, undefined, context)
  if (authorized) await authorized
  if (isReserved) context.warn(`${namePath}: ${reservedNames.message}`)
  for (const text of strategy.warningsOnCreate?.(object, about) ?? []) context.warn(text)
  strategy.canonicalize?.(object)
  await context.validate?.(object, undefined)
}

async function storeNew(
  parts: ResourceParts,
  object: ApiObject,
  target: WriteTarget,
  context: WriteContext,
): Promise<Written> {
  const { key } = target
  // A dry run neither refuses nor drops the version: only a write would.
  if (context.dryRun) {
    const { value, revision } = await parts.store.get(key, context.signal ? { signal: context.signal } : {})
    if (value) throw taken(parts, object, value.value)
    return { key, object, revision, stored: false, created: true }
  }
  // Manifests carry "0", and servers have always accepted texts that are no version.
  if (/^0*[1-9][0-9]*$/.test(object.metadata.resourceVersion ?? ''))
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created')
  delete object.metadata.resourceVersion
  const result = await storeObject(parts, object, context, (bytes, options) => parts.store.create(key, bytes, options))
  if (!result.ok) throw taken(parts, object, result.current?.value)
  object.metadata.resourceVersion = toResourceVersion(result.revision)
  return { key, object, revision: result.revision, stored: true, created: true }
}

function taken({ resource }: ResourceParts, object: ApiObject, stored: Uint8Array | undefined): StatusError {
  const { name = '', generateName: base = '' } = object.metadata
  const error =
    base === '' ? statusErrors.alreadyExists(resource, name) : statusErrors.generateNameConflict(resource, name)
  if (stored === undefined || !isBeingDeleted(stored)) return error
  const details = error.details ? { details: error.details } : {}
  return new StatusError(error.code, error.reason, `object is being deleted: ${error.message}`, details)
}

/** Clients that create what they don't know to exist are refused all the time: the metadata alone is read. */
function isBeingDeleted(stored: Uint8Array): boolean {
  try {
    return Boolean(readObjectMeta(stored).deletionTimestamp)
  } catch {
    return false
  }
}
