import { isRecord } from '../../base/index.ts'
import { type ApiObject, type JsonObject, jsonText, parseJsonText } from '../../object/index.ts'
import { difference } from '../fieldset/algebra.ts'
import { type FieldSet, noFields } from '../fieldset/fieldset.ts'
import { allDifferences, compareTyped } from '../typed/compare.ts'
import { TypedError } from '../typed/listitem.ts'
import type { Shape } from '../typed/shape.ts'
import { toFieldSet } from '../typed/tofieldset.ts'
import { comparable } from './comparable.ts'

/** The annotation in which client-side apply keeps its last configuration. */
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'
/** The manager of migrations from client-side apply: kubectl's default. */
export const migratingManager = 'kubectl'
const annotationsBytesMax = 256 * 1024

/**
 * Fields that are unchanged since the last client-side apply: kubectl's server-side apply may change them without a
 * conflict, because kubectl owns them. Empty without the annotation.
 */
export function fieldsOfClientSideApply(shape: Shape, live: ApiObject): FieldSet {
  const text = live.metadata.annotations?.[lastAppliedAnnotation]
  if (text === undefined) return noFields
  const applied = parseObject(text)
  if (!applied || applied.apiVersion !== live.apiVersion) return noFields
  try {
    const stated = toFieldSet(shape, comparable(applied))
    return difference(stated, allDifferences(compareTyped(shape, comparable(applied), comparable(live))))
  } catch (error) {
    if (error instanceof TypedError) return noFields
    throw error
  }
}

function parseObject(text: string): ApiObject | undefined {
  try {
    const value: unknown = parseJsonText(text)
    return isRecord(value) && isRecord(value['metadata']) ? (value as ApiObject) : undefined
  } catch {
    return undefined
  }
}

/** Updates the annotation of client-side apply, if there is one, after a server-side apply. */
export function withLastApplied(object: ApiObject, applied: ApiObject): ApiObject {
  const annotations = object.metadata.annotations
  if (annotations?.[lastAppliedAnnotation] === undefined) return object
  const next: Record<string, string> = { ...annotations, [lastAppliedAnnotation]: describe(applied) }
  if (bytesOf(next) > annotationsBytesMax) delete next[lastAppliedAnnotation]
  return { ...object, metadata: { ...object.metadata, annotations: next } }
}

/** The configuration as kubectl writes it: sorted keys, a line break at the end. */
function describe(applied: ApiObject): string {
  const { annotations, ...metadata } = applied.metadata
  const { [lastAppliedAnnotation]: _, ...others } = annotations ?? {}
  const shown = { ...applied, metadata: annotations ? { ...metadata, annotations: others } : metadata }
  return `${jsonText(sorted(shown))}\n`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return typeof value === 'bigint' ? Number(value) : value
  const result: JsonObject = {}
  for (const key of Object.keys(value).sort()) result[key] = sorted(value[key]) as JsonObject
  return result
}

function bytesOf(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const key of Object.keys(annotations))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '')
  return bytes
}
