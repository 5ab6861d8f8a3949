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

/** Problems that are told of one run; a file that has more is no file of objects. */
const problemsMax = 50

/** Something that a person has to mend: `where` is the file, with the line where one is known. */
export interface Problem {
  readonly where: string
  readonly message: string
}

export interface Conversion {
  /** Takes every object of a document; those of a list one by one. */
  add(file: string, document: Document): void
  /** In the order in which they came. */
  readonly objects: readonly ApiObject[]
  /** True when what came was one object by itself, not a list of one. */
  readonly isSingle: boolean
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

interface ConversionOptions {
  readonly scheme: Scheme
  /** Version that objects of its group are to have; others, and undefined: the one that their group prefers. */
  readonly target: GroupVersion | undefined
  readonly validate: FieldValidation
}

/** Brings objects from the version in which they are written to another, as they are: nothing is defaulted. */
export function createConversion({ scheme, target, validate }: ConversionOptions): Conversion {
  const objects: ApiObject[] = []
  const problems: Problem[] = []
  const warnings: Problem[] = []
  let lists = 0

  function convert(given: JsonValue, where: string, inherited?: GroupVersionKind): void {
    const [gvk, value] = brought(kindOf(given, inherited), given)
    const items = itemsOf(scheme, gvk, value)
    if (items !== undefined) {
      lists++
      const each = itemKind(scheme, gvk)
      for (const [index, item] of items.entries())
        attempt(`${where}: items[${index}]`, () => convert(item, `${where}: items[${index}]`, each))
      return
    }
    const body = Buffer.from(writeJson(value, { ordered: true }))
    const { object, strictErrors } = scheme.decodeObject(body, {
      mediaType: 'application/json',
      expected: gvk,
      fieldValidation: validate,
      defaults: false,
    })
    for (const message of strictErrors) warnings.push({ where, message })
    objects.push(scheme.convert(object, targetOf(scheme, gvk, target)))
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
        // Documents of nothing are many: a file may begin with a mark.
        if (content.value !== null) convert(content.value, where)
      })
    },
  }
}

/** The input can't be an object; the message is for the user who wrote it. */
class NoObject extends Error {
  override readonly name = 'NoObject'
}

function kindOf(value: JsonValue, inherited?: GroupVersionKind): GroupVersionKind {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new NoObject('this is no object')
  const { apiVersion = '', kind = '' } = value
  const known = kind !== '' ? kind : inherited?.kind
  const version = apiVersion !== '' || !inherited ? apiVersion : formatGroupVersion(inherited)
  if (typeof known !== 'string' || known === '') throw new NoObject("Object 'Kind' is missing")
  if (typeof version !== 'string' || version === '') throw new NoObject("Object 'apiVersion' is missing")
  const groupVersion = parseGroupVersion(version)
  if (!groupVersion) throw new NoObject(`unexpected GroupVersion string: ${version}`)
  return { ...groupVersion, kind: known }
}

/** Brings an object of a version that no release serves any more to the version that replaced it. */
function brought(gvk: GroupVersionKind, value: JsonValue): [gvk: GroupVersionKind, value: JsonValue] {
  const older = olderVersion(formatGroupVersion(gvk), gvk.kind)
  const now = older && parseGroupVersion(older.apiVersion)
  if (!now || typeof value !== 'object' || value === null || Array.isArray(value)) return [gvk, value]
  const object = { ...structuredClone(value), apiVersion: older.apiVersion }
  older.bring?.(object)
  return [{ ...now, kind: gvk.kind }, object]
}

/** The items of a list, of any kind of list; undefined of what is none. */
function itemsOf(scheme: Scheme, gvk: GroupVersionKind, value: JsonValue): readonly JsonValue[] | undefined {
  const isList = (gvk.kind === 'List' && gvk.group === '') || itemKind(scheme, gvk) !== undefined
  if (!isList || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { items = [] } = value
  if (items === null) return []
  if (!Array.isArray(items)) throw new NoObject(`items of a ${gvk.kind} must be a list`)
  return items
}

function itemKind(scheme: Scheme, gvk: GroupVersionKind): GroupVersionKind | undefined {
  const kind = scheme.kind(gvk)?.itemKind
  return kind === undefined ? undefined : { ...gvk, kind }
}

/** Reads an object in the envelope of the store and the wire. Programs that print stored bytes may add a line end. */
function fromProtobuf(scheme: Scheme, bytes: Uint8Array): JsonValue {
  let object: ApiObject
  try {
    object = readProtobuf(scheme, bytes)
  } catch (error) {
    if (bytes.at(-1) !== lineEnd) throw error
    object = readProtobuf(scheme, bytes.subarray(0, -1))
  }
  return parseJson(scheme.encodeObject(object, { mediaType: 'application/json' }))
}

const lineEnd = 0x0a

function readProtobuf(scheme: Scheme, bytes: Uint8Array): ApiObject {
  const mediaType = 'application/vnd.kubernetes.protobuf'
  try {
    const { apiVersion, kind } = readEnvelope(bytes)
    return scheme.decodeObject(bytes, { mediaType, expected: kindOf({ apiVersion, kind }), defaults: false }).object
  } catch (error) {
    if (error instanceof DecodeError) throw new NoObject(error.message, { cause: error })
    throw error
  }
}

/**
 * The version asked for if the kind has it; for objects of other groups, the version that their group prefers. Throws
 * NoObject where the version is of the object's own group, but not one of its kind.
 */
function targetOf(scheme: Scheme, gvk: GroupVersionKind, wanted: GroupVersion | undefined): GroupVersion {
  const own = scheme.resourceOfKind(gvk) ?? storedOnly(scheme, gvk)
  if (!own) return gvk
  const asked = wanted && scheme.resourceOfKind({ ...wanted, kind: gvk.kind })
  if (asked && storageGroup(asked) === storageGroup(own)) return asked.gvr
  if (wanted && wanted.group === gvk.group)
    throw new NoObject(`${gvk.kind} can't be written in ${formatGroupVersion(wanted)}: the kind is not in that version`)
  return scheme.versionsOf({ group: gvk.group, resource: own.gvr.resource })[0]?.gvr ?? gvk
}

/** The resource of a kind that is in a version which is only stored. */
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
  if (first && isSingle) return scheme.encodeObject(first, { mediaType, pretty: true })
  const items = objects.map((object) => parseJson(scheme.encodeObject(object, { mediaType: 'application/json' })))
  const list = { kind: 'List', apiVersion: 'v1', metadata: {}, items } as unknown as ApiObject
  return scheme.encodeObject(list, { mediaType, pretty: true })
}
