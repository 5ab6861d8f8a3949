import { isRecord } from '../base/index.ts'
import { DecodeError, hasEnvelope, parseJson, readEnvelope } from '../codec/index.ts'
import { type GroupResource, type JsonValue, parseGroupVersion } from '../object/index.ts'
import type { ResourceDefinition, Scheme } from '../scheme/index.ts'
import type { TransformerOf } from '../storage/index.ts'
import { reasonOf, type ScanOptions, type StoredEntry, type StoreReader, StoreToolError } from './contract.ts'

/** A kind of custom resources, from its definition in the same store. */
interface CustomKind {
  readonly kind: string
  readonly namespaced: boolean
  readonly versions: ReadonlySet<string>
}

/** The resource of a key. */
export interface KeyLocation {
  readonly resource: GroupResource
  readonly kind: string
  readonly namespaced: boolean
  /** The parts of the key below the resource's prefix: namespace and name, or the name. */
  readonly parts: readonly string[]
  readonly definition: ResourceDefinition | undefined
  readonly custom: CustomKind | undefined
}

/** How a value is encrypted at rest. */
export interface EncryptedBy {
  readonly provider: string
  readonly keyName: string
}

export interface DecodedObject {
  readonly is: 'object'
  readonly object: JsonValue
  /** The apiVersion in the stored object. */
  readonly apiVersion: string
  readonly kind: string
  readonly encryptedBy: EncryptedBy | undefined
}

export type DecodedEntry =
  | DecodedObject
  /** No key opens it. */
  | { readonly is: 'encrypted'; readonly encryptedBy: EncryptedBy }
  /** `wrong-version`: it is an object, but not of its resource, or of an unknown version. */
  | {
      readonly is: 'unreadable' | 'wrong-version'
      readonly reason: string
      readonly encryptedBy: EncryptedBy | undefined
    }

/** Decodes keys and values to objects. */
export interface StoredObjects {
  readonly prefix: string
  /** Undefined: the key belongs to no known resource. */
  locate(key: string): KeyLocation | undefined
  decode(entry: StoredEntry, place: KeyLocation): Promise<DecodedEntry>
  /** Whether such a store holds objects of this kind, so that a missing one is an error. */
  isStored(apiVersion: string, kind: string): boolean
}

interface ObjectsDependencies {
  readonly scheme: Scheme
  /** Absent: encrypted values stay encrypted. */
  readonly transformerOf?: TransformerOf | undefined
}

/** Prefixes without objects, whose keys servers use among themselves. */
const ownPrefixes = ['masterleases/', 'peerserverleases/', 'ranges/', 'fences/', 'health']
const customResourceDefinitions = 'apiextensions.k8s.io/customresourcedefinitions'

export function isServersOwn(rest: string): boolean {
  return ownPrefixes.some((prefix) => rest.startsWith(prefix))
}

/** Reads the definitions of custom resources first. Definitions that can't be read, or are missing, are left out. */
export async function openStoredObjects(
  reader: StoreReader,
  dependencies: ObjectsDependencies,
  { prefix, onDamage }: { readonly prefix: string } & Pick<ScanOptions, 'onDamage'>,
): Promise<StoredObjects> {
  const objects = new Objects(dependencies, prefix)
  const start = `${prefix}/${customResourceDefinitions}/`
  const scan = await reader.scan({ start, end: `${prefix}/${customResourceDefinitions}0`, onDamage })
  try {
    for await (const page of scan.pages()) for (const entry of page) await objects.learn(entry)
  } finally {
    scan.close()
  }
  return objects
}

class Objects implements StoredObjects {
  readonly prefix: string
  readonly #scheme: Scheme
  readonly #transformerOf: TransformerOf | undefined
  readonly #builtIn = new Map<string, ResourceDefinition>()
  readonly #custom = new Map<string, CustomKind>()
  /** `group/kind` of stored kinds. */
  readonly #kinds = new Set<string>()

  constructor({ scheme, transformerOf }: ObjectsDependencies, prefix: string) {
    this.prefix = prefix
    this.#scheme = scheme
    this.#transformerOf = transformerOf
    // When several resources share one prefix, the others are views of the first.
    for (const definition of scheme.resources) {
      if (!definition.storage) continue
      if (!this.#builtIn.has(definition.storage.prefix)) this.#builtIn.set(definition.storage.prefix, definition)
      this.#kinds.add(`${definition.gvr.group}/${definition.gvk.kind}`)
    }
  }

  async learn(entry: StoredEntry): Promise<void> {
    const place = this.locate(entry.key)
    const decoded = place && (await this.decode(entry, place))
    if (decoded?.is !== 'object' || !isRecord(decoded.object)) return
    const { spec } = decoded.object
    if (!isRecord(spec) || typeof spec['group'] !== 'string') return
    const { group, names, scope, versions } = spec
    if (!isRecord(names) || typeof names['plural'] !== 'string' || typeof names['kind'] !== 'string') return
    const known = (Array.isArray(versions) ? versions : []).flatMap((version: unknown) =>
      isRecord(version) && typeof version['name'] === 'string' ? [version['name']] : [],
    )
    this.#custom.set(`${group}/${names['plural']}`, {
      kind: names['kind'],
      namespaced: scope === 'Namespaced',
      versions: new Set(known),
    })
    this.#kinds.add(`${group}/${names['kind']}`)
  }

  isStored(apiVersion: string, kind: string): boolean {
    const version = parseGroupVersion(apiVersion)
    return version !== undefined && this.#kinds.has(`${version.group}/${kind}`)
  }

  locate(key: string): KeyLocation | undefined {
    if (!key.startsWith(`${this.prefix}/`)) return undefined
    const [first = '', second, ...rest] = key.slice(this.prefix.length + 1).split('/')
    const one = this.#builtIn.get(first)
    if (one) return placeOf(one, second === undefined ? [] : [second, ...rest])
    if (second === undefined) return undefined
    const two = this.#builtIn.get(`${first}/${second}`)
    if (two) return placeOf(two, rest)
    const custom = this.#custom.get(`${first}/${second}`)
    if (!custom) return undefined
    const { kind, namespaced } = custom
    const resource = { group: first, resource: second }
    return { resource, kind, namespaced, parts: rest, definition: undefined, custom }
  }

  async decode(entry: StoredEntry, place: KeyLocation): Promise<DecodedEntry> {
    const encryptedBy = encryptionOf(entry.value)
    if (encryptedBy && !this.#transformerOf) return { is: 'encrypted', encryptedBy }
    let plain: Uint8Array
    try {
      plain = this.#transformerOf
        ? (await this.#transformerOf(place.resource).transformer.decrypt(entry.value, 0, entry.key)).value
        : entry.value
    } catch (error) {
      return { is: 'unreadable', reason: reasonOf(error), encryptedBy }
    }
    try {
      return { ...this.#decodePlain(plain, entry, place), encryptedBy }
    } catch (error) {
      if (error instanceof WrongVersion) return { is: 'wrong-version', reason: error.message, encryptedBy }
      // The reason may quote the value.
      const reason = isSecret(place) ? 'it is no Secret' : reasonOf(error).replaceAll('\n', ' ')
      return { is: 'unreadable', reason, encryptedBy }
    }
  }

  #decodePlain(
    stored: Uint8Array,
    entry: StoredEntry,
    place: KeyLocation,
  ): { is: 'object'; object: JsonValue; apiVersion: string; kind: string } {
    const { apiVersion, kind } = typeOf(stored)
    if (kind !== place.kind) throw new WrongVersion(`a ${place.kind} is expected here, it is a ${kind || 'no object'}`)
    const version = parseGroupVersion(apiVersion)
    if (!version) throw new WrongVersion(`its apiVersion is ${JSON.stringify(apiVersion)}`)
    if (place.custom) {
      if (version.group !== place.resource.group || !place.custom.versions.has(version.version))
        throw new WrongVersion(`its version ${apiVersion} is not in its definition`)
      return { is: 'object', object: parseJson(stored), apiVersion, kind }
    }
    if (!this.#scheme.kind({ ...version, kind })) throw new WrongVersion(`its version ${apiVersion} is unknown`)
    const object = this.#scheme.codec(place.resource).decodeFromStorage(stored, String(entry.modRevision))
    const json = this.#scheme.objects.encodeObject(object, { mediaType: 'application/json' })
    return { is: 'object', object: parseJson(json), apiVersion, kind }
  }
}

class WrongVersion extends Error {}

function placeOf(definition: ResourceDefinition, parts: readonly string[]): KeyLocation {
  const { gvr, gvk, namespaced } = definition
  const resource = { group: gvr.group, resource: gvr.resource }
  return { resource, kind: gvk.kind, namespaced, parts, definition, custom: undefined }
}

/** Throws for bytes that are not an object. */
function typeOf(stored: Uint8Array): { apiVersion: string; kind: string } {
  if (hasEnvelope(stored)) return readEnvelope(stored)
  const value = parseJson(stored)
  if (!isRecord(value)) throw new DecodeError('it is no object')
  const { apiVersion, kind } = value
  return { apiVersion: typeof apiVersion === 'string' ? apiVersion : '', kind: typeof kind === 'string' ? kind : '' }
}

/** Undefined: the value is not encrypted. */
export function encryptionOf(value: Uint8Array): EncryptedBy | undefined {
  const lead = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, 400)).toString('latin1')
  if (!lead.startsWith('k8s:enc:')) return undefined
  const [, , provider = '', , keyName = ''] = lead.split(':')
  return { provider, keyName }
}

export function isSecret({ resource }: Pick<KeyLocation, 'resource'>): boolean {
  return resource.group === '' && resource.resource === 'secrets'
}

/** Completes a key that a user wrote, possibly without the prefix. Throws StoreToolError. */
export function wholeKey(given: string, prefix: string): string {
  if (given === '') throw new StoreToolError('name a key')
  return given.startsWith('/') ? given : `${prefix}/${given}`
}
