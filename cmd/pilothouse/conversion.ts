import { DecodeError, type Document, parseJson, readEnvelope, writeJson } from '../../lib/codec/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  type JsonValue,
  parseGroupVersion,
  StatusError,
} from '../../lib/object/index.ts'
import type { FieldValidation, MediaType, ResourceDefinition, Scheme } from '../../lib/scheme/index.ts'
import { olderVersion } from './olderversions.ts'

/** Maximum number of problems reported for a file. */
const problemsMax = 50

/** A problem in the input: `where` is the file, with the line where it is known. */
export interface Problem {
  readonly where: string
  readonly message: string
}

export interface Conversion {
  /** Receives every object of a document; those of a list one by one. */
  add(file: string, document: Document): void
  /** In the order of the input. */
  readonly objects: readonly ApiObject[]
  /** True when the input was one object, not a list of one. */
  readonly isSingle: boolean
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

interface ConversionOptions {
  readonly scheme: Scheme
  /**
   * Version to convert objects of its group to; others, and all when it is undefined, get their group's preferred
   * version.
   */
  readonly target: GroupVersion | undefined
  readonly validate: FieldValidation
}

/** Converts objects between versions without defaulting them. */
export function createConversion({ scheme, target, validate }: ConversionOptions): Conversion {
  const objects: ApiObject[] = []
  const problems: Problem[] = []
  const warnings: Problem[] = []
  let lists = 0

  function convert(given: JsonValue, where: string, inherited?: GroupVersionKind): void {
    const [gvk, value] = brought(kindOf(given, inherited), given)
    const items = itemsOf(scheme, gvk, value)
    if (items === undefined) return void objects.push(converted(gvk, value, where))
    lists++
    const each = itemKind(scheme, gvk)
    for (const [index, item] of items.entries())
      attempt(`${where}: items[${index}]`, () => convert(item, `${where}: items[${index}]`, each))
  }

  function converted(gvk: GroupVersionKind, value: JsonValue, where: string): ApiObject {
    if (isWatchEvent(gvk, value)) return eventOf(gvk, value, inEvent(value.object, where))
    const other = otherVersion(scheme, gvk, target)
    if (other) return converted(other, { ...(value as object), apiVersion: formatGroupVersion(other) }, where)
    const body = Buffer.from(writeJson(value, { ordered: true }))
    const { object, strictErrors } = scheme.objects.decodeObject(body, {
      mediaType: 'application/json',
      expected: gvk,
      fieldValidation: validate,
      defaults: false,
    })
    for (const message of strictErrors) warnings.push({ where, message })
    return scheme.objects.convert(object, targetOf(scheme, gvk, target))
  }

  /** The object of a watch event, as JSON. */
  function inEvent(given: JsonValue, where: string): JsonValue {
    const object = converted(...brought(kindOf(given), given), `${where}: object`)
    return parseJson(scheme.objects.encodeObject(object, { mediaType: 'application/json' }))
  }

  function attempt(where: string, work: () => void): void {
    if (problems.length >= problemsMax) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof StatusError || error instanceof NoObject)) throw error
      problems.push({ where, message: error.message })
    }
  }

  return {
    objects,
    problems,
    warnings,
    get isSingle() {
      return objects.length === 1 && lists === 0
    },
    add(file, { line, content }) {
      const where = line === undefined ? file : `${file}:${line}`
      if (content.is === 'failure') {
        problems.push({ where, message: content.message })
        return
      }
      attempt(where, () => {
        if (content.is === 'protobuf') return convert(fromProtobuf(scheme, content.bytes), where)
        if (validate === 'Strict' && content.duplicates.length > 0) throw new NoObject(content.duplicates.join(', '))
        if (validate === 'Warn') warnings.push(...content.duplicates.map((message) => ({ where, message })))
        // Files may begin with a document mark, and so have empty documents.
        if (content.value !== null) convert(content.value, where)
      })
    },
  }
}

/** An event of a watch: without a kind or, in protobuf, with one. */
interface WatchEvent {
  readonly type: string
  readonly object: JsonValue
}

const watchEventKind = 'WatchEvent'

function isWatchEvent(gvk: GroupVersionKind, value: JsonValue): value is JsonValue & WatchEvent {
  return gvk.kind === watchEventKind && looksLikeEvent(value)
}

function looksLikeEvent(value: JsonValue): value is JsonValue & WatchEvent {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  return typeof value['type'] === 'string' && typeof value['object'] === 'object' && value['object'] !== null
}

function eventOf(gvk: GroupVersionKind, { type }: WatchEvent, object: JsonValue): ApiObject {
  // A watch event has no metadata, but is encoded as objects are.
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, type, object } as unknown as ApiObject
}

/** The input is not an object; the message is for its author. */
class NoObject extends Error {
  override readonly name = 'NoObject'
}

function kindOf(value: JsonValue, inherited?: GroupVersionKind): GroupVersionKind {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new NoObject('this is no object')
  if (inherited === undefined && value['kind'] === undefined && looksLikeEvent(value))
    return { group: '', version: 'v1', kind: watchEventKind }
  const { apiVersion = value['kind'] === 'APIVersions' ? 'v1' : '', kind = '' } = value
  const known = kind !== '' ? kind : inherited?.kind
  const version = apiVersion !== '' || !inherited ? apiVersion : formatGroupVersion(inherited)
  if (typeof known !== 'string' || known === '') throw new NoObject("Object 'Kind' is missing")
  if (typeof version !== 'string' || version === '') throw new NoObject("Object 'apiVersion' is missing")
  const groupVersion = parseGroupVersion(version)
  if (!groupVersion) throw new NoObject(`unexpected GroupVersion string: ${version}`)
  return { ...groupVersion, kind: known }
}

/** Converts an object of a version that no release serves any more to its successor. */
function brought(gvk: GroupVersionKind, value: JsonValue): [gvk: GroupVersionKind, value: JsonValue] {
  const older = olderVersion(formatGroupVersion(gvk), gvk.kind)
  const now = older && parseGroupVersion(older.apiVersion)
  if (!now || typeof value !== 'object' || value === null || Array.isArray(value)) return [gvk, value]
  const object = { ...structuredClone(value), apiVersion: older.apiVersion }
  older.bring?.(object)
  return [{ ...now, kind: gvk.kind }, object]
}

/** The items of any kind of list; undefined for others, such as discovery documents. */
function itemsOf(scheme: Scheme, gvk: GroupVersionKind, value: JsonValue): readonly JsonValue[] | undefined {
  const each = itemKind(scheme, gvk)
  const isList = (gvk.kind === 'List' && gvk.group === '') || (each !== undefined && isOfResource(scheme, each))
  if (!isList || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { items = [] } = value
  if (items === null) return []
  if (!Array.isArray(items)) throw new NoObject(`items of a ${gvk.kind} must be a list`)
  return items
}

/**
 * The kind of a list's items; undefined for others. Lists in versions that no release serves are recognized by their
 * names.
 */
function itemKind(scheme: Scheme, gvk: GroupVersionKind): GroupVersionKind | undefined {
  const kind = scheme.kind(gvk)?.itemKind
  if (kind !== undefined) return { ...gvk, kind }
  const name = /^(.+)List$/.exec(gvk.kind)?.[1]
  return name !== undefined && olderVersion(formatGroupVersion(gvk), name) ? { ...gvk, kind: name } : undefined
}

function isOfResource(scheme: Scheme, gvk: GroupVersionKind): boolean {
  const known = scheme.resourceOfKind(gvk) ?? storedOnly(scheme, gvk) ?? olderVersion(formatGroupVersion(gvk), gvk.kind)
  return known !== undefined
}

/**
 * The requested version of a kind without a resource, such as a discovery document: versions of those differ in name
 * only. Undefined when it has that version already, or none was requested. Throws NoObject where the group has the
 * version without the kind.
 */
function otherVersion(scheme: Scheme, gvk: GroupVersionKind, wanted?: GroupVersion): GroupVersionKind | undefined {
  if (wanted?.group !== gvk.group || wanted.version === gvk.version || isOfResource(scheme, gvk)) return undefined
  const other = { ...wanted, kind: gvk.kind }
  if (scheme.kind(other)) return other
  throw notInVersion(gvk, wanted)
}

function notInVersion({ kind }: GroupVersionKind, wanted: GroupVersion): NoObject {
  return new NoObject(`${kind} can't be written in ${formatGroupVersion(wanted)}: the kind is not in that version`)
}

/** Decodes an object in the envelope of the store and the wire. Programs that print stored bytes may add a newline. */
function fromProtobuf(scheme: Scheme, bytes: Uint8Array): JsonValue {
  let object: ApiObject
  try {
    object = readProtobuf(scheme, bytes)
  } catch (error) {
    if (bytes.at(-1) !== lineEnd) throw error
    object = readProtobuf(scheme, bytes.subarray(0, -1))
  }
  return parseJson(scheme.objects.encodeObject(object, { mediaType: 'application/json' }))
}

const lineEnd = 0x0a

function readProtobuf(scheme: Scheme, bytes: Uint8Array): ApiObject {
  const mediaType = 'application/vnd.kubernetes.protobuf'
  try {
    const { apiVersion, kind } = readEnvelope(bytes)
    return scheme.objects.decodeObject(bytes, { mediaType, expected: kindOf({ apiVersion, kind }), defaults: false })
      .object
  } catch (error) {
    if (error instanceof DecodeError) throw new NoObject(error.message, { cause: error })
    throw error
  }
}

/**
 * The requested version if the kind has it; for objects of other groups, their group's preferred version. Throws
 * NoObject where the object's own group has the version without the kind.
 */
function targetOf(scheme: Scheme, gvk: GroupVersionKind, wanted: GroupVersion | undefined): GroupVersion {
  const own = scheme.resourceOfKind(gvk) ?? storedOnly(scheme, gvk)
  if (!own) return gvk
  const asked = wanted && scheme.resourceOfKind({ ...wanted, kind: gvk.kind })
  if (asked && storageGroup(asked) === storageGroup(own)) return asked.gvr
  if (wanted?.group === gvk.group) throw notInVersion(gvk, wanted)
  return scheme.versionsOf({ group: gvk.group, resource: own.gvr.resource })[0]?.gvr ?? gvk
}

/** The resource of a kind in a version that is only stored. */
function storedOnly(scheme: Scheme, { group, version, kind }: GroupVersionKind): ResourceDefinition | undefined {
  return scheme.resources.find(
    ({ gvr, gvk, storage }) => gvr.group === group && gvk.kind === kind && storage?.version === version,
  )
}

/** Kinds of two groups are the same when they are stored together. */
function storageGroup({ gvr, table }: ResourceDefinition): string {
  return table.storageGroup ?? gvr.group
}

/** One object as it is, several as a List, which every client accepts. */
export function encodeObjects(
  scheme: Scheme,
  { objects, isSingle }: Pick<Conversion, 'objects' | 'isSingle'>,
  mediaType: MediaType,
): Uint8Array {
  const [first] = objects
  if (first && isSingle) return scheme.objects.encodeObject(first, { mediaType, pretty: true })
  const items = objects.map((object) =>
    parseJson(scheme.objects.encodeObject(object, { mediaType: 'application/json' })),
  )
  const list = { kind: 'List', apiVersion: 'v1', metadata: {}, items }
  return scheme.objects.encodeObject(list, { mediaType, pretty: true })
}
