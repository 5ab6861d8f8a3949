import { Members, readMembers, SortedText } from '../codec/index.ts'
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'
import type { MediaType, StoredEncoder, StoredReader } from '../scheme/index.ts'
import type { CodecSource } from './codec.ts'
import { CanonicalSchema } from './schema/canonical.ts'
import type { SchemaNode } from './schema/node.ts'

const [openBrace, lineFeed] = [0x7b, 0x0a]
const apiVersionKey = Buffer.from('apiVersion')
const metadataKey = Buffer.from('metadata')
const resourceVersionKey = Buffer.from('resourceVersion')
const wantedTypes = { apiVersion: true, kind: true, metadata: { generation: true } } as const

/**
 * Serves custom objects from their stored text: a copy with its resourceVersion inserted and, where the versions differ
 * in nothing else, the apiVersion replaced.
 */
export class CustomStoredReader implements StoredReader {
  readonly #source: () => CodecSource
  readonly #schemas: CanonicalSchema

  constructor(source: () => CodecSource, metadata: StructType) {
    this.#source = source
    this.#schemas = new CanonicalSchema(metadata)
  }

  isCanonical(stored: Uint8Array): boolean {
    if (stored[0] !== openBrace) return false
    try {
      return this.#roots(stored).every((root) => this.#holds(stored, root))
    } catch {
      // Decoding reports why the text can't be read.
      return false
    }
  }

  item(gvk: GroupVersionKind, mediaType: MediaType): StoredEncoder | undefined {
    if (mediaType !== 'application/json') return undefined
    const apiVersion = formatGroupVersion(gvk)
    const text = Buffer.from(JSON.stringify(apiVersion))
    const parts = (stored: Uint8Array, resourceVersion: string): readonly Uint8Array[] =>
      splice(stored, text, resourceVersion)
    return {
      encode: (stored, resourceVersion) => Buffer.concat(parts(stored, resourceVersion)),
      parts,
      fits: (stored) => !this.#source().conversion || apiVersionOf(stored) === apiVersion,
    }
  }

  metadata(): undefined {
    return undefined
  }

  /** The schemas by which an object must be canonical; throws for an object of another resource. */
  #roots(stored: Uint8Array): readonly SchemaNode[] {
    const { group, kind, sharedSchema, servedVersions, schema, conversion } = this.#source()
    const object = readMembers(stored, wantedTypes) as TypeOfObject | undefined
    const groupVersion = parseGroupVersion(object?.apiVersion ?? '')
    // Decoding fills in a generation.
    const isOurs = groupVersion?.group === group && object?.kind === kind && object.metadata?.generation !== undefined
    if (!isOurs || !places(stored)) throw new Error('no object of this resource')
    const others = sharedSchema || conversion ? [] : servedVersions
    const roots = new Set<SchemaNode>()
    for (const version of [groupVersion.version, ...others]) {
      const found = schema(version)
      if (!found) throw new Error(`there is no version ${version}`)
      roots.add(found.root)
    }
    return [...roots]
  }

  #holds(stored: Uint8Array, root: SchemaNode): boolean {
    const text = new SortedText(stored, textEnd(stored))
    return this.#schemas.object(text, 0, root) === text.end && text.isUtf8
  }
}

interface TypeOfObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: { readonly generation?: number }
}

/** The apiVersion of a stored text, where it has the usual position. */
export function apiVersionOf(stored: Uint8Array): string | undefined {
  if (stored[0] !== openBrace) return undefined
  const members = new Members(stored, 0)
  while (members.next()) {
    const order = members.compare(apiVersionKey)
    if (order > 0) return undefined
    members.skip()
    if (order === 0) return Buffer.from(stored.subarray(members.valueFrom + 1, members.at - 1)).toString()
  }
  return undefined
}

/** The positions of the value of apiVersion in a text, and of the end of what precedes metadata.resourceVersion. */
interface Places {
  readonly versionFrom: number
  readonly versionTo: number
  readonly insertAt: number
}

/** Undefined: there is no such position, or a resourceVersion already. */
function places(stored: Uint8Array): Places | undefined {
  const members = new Members(stored, 0)
  let [versionFrom, versionTo] = [-1, -1]
  while (members.next()) {
    const order = members.compare(metadataKey)
    if (order > 0) return undefined
    if (order === 0) {
      const insertAt = insertionPlace(stored, members.valueFrom)
      return versionFrom < 0 || insertAt < 0 ? undefined : { versionFrom, versionTo, insertAt }
    }
    members.skip()
    if (members.compare(apiVersionKey) === 0) [versionFrom, versionTo] = [members.valueFrom, members.at]
  }
  return undefined
}

function insertionPlace(stored: Uint8Array, metadataFrom: number): number {
  const members = new Members(stored, metadataFrom)
  let place = -1
  while (members.next()) {
    const order = members.compare(resourceVersionKey)
    if (order > 0) return place
    if (order === 0) return -1
    members.skip()
    place = members.at
  }
  return members.at < 0 ? -1 : place
}

function splice(stored: Uint8Array, apiVersion: Uint8Array, resourceVersion: string): readonly Uint8Array[] {
  const found = places(stored)
  if (!found) throw new Error('not a canonical text')
  const { versionFrom, versionTo, insertAt } = found
  const version = Buffer.from(`,"resourceVersion":${JSON.stringify(resourceVersion)}`)
  const tail = stored.subarray(insertAt, textEnd(stored))
  const isSame = Buffer.compare(stored.subarray(versionFrom, versionTo), apiVersion) === 0
  if (isSame) return [stored.subarray(0, insertAt), version, tail]
  return [stored.subarray(0, versionFrom), apiVersion, stored.subarray(versionTo, insertAt), version, tail]
}

/** The end of the text without the stored form's newline. */
function textEnd(stored: Uint8Array): number {
  return stored.at(-1) === lineFeed ? stored.length - 1 : stored.length
}
