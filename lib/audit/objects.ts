import { isRecord } from '../base/index.ts'
import {
  DecodeError,
  decodeJsonAsYaml,
  decodeYaml,
  hasEnvelope,
  parseJson,
  readEnvelope,
  writeJson,
  yamlInlineBytesMax,
} from '../codec/index.ts'
import { type ApiObject, parseGroupVersion } from '../object/index.ts'
import type { Scheme } from '../scheme/index.ts'

/** Encodes objects of requests and answers as JSON texts for events. */
export interface ObjectTexts {
  fromObject(object: ApiObject, omitManagedFields: boolean): string | undefined
  /** Undefined for what can't be decoded. */
  fromBody(contentType: string, body: Uint8Array, omitManagedFields: boolean): string | undefined
}

export function createObjectTexts(scheme: Scheme): ObjectTexts {
  function fromObject(object: ApiObject, omitManagedFields: boolean): string | undefined {
    const shown = omitManagedFields ? withoutManagedFields(object) : object
    try {
      // A custom resource, which has no table, is written as its JSON.
      if (!isRegistered(object)) return writeJson(shown)
      return Buffer.from(scheme.objects.encodeObject(shown, { mediaType: 'application/json' }))
        .toString()
        .trimEnd()
    } catch {
      return undefined
    }
  }

  function isRegistered({ apiVersion, kind }: ApiObject): boolean {
    const groupVersion = parseGroupVersion(apiVersion)
    return groupVersion !== undefined && scheme.kind({ ...groupVersion, kind }) !== undefined
  }

  function fromProtobuf(body: Uint8Array, omitManagedFields: boolean): string | undefined {
    if (!hasEnvelope(body)) return undefined
    const { apiVersion, kind } = readEnvelope(body)
    const groupVersion = parseGroupVersion(apiVersion)
    if (groupVersion === undefined) return undefined
    const { object } = scheme.objects.decodeObject(body, {
      mediaType: 'application/vnd.kubernetes.protobuf',
      expected: { ...groupVersion, kind },
      defaults: false,
    })
    return fromObject(object, omitManagedFields)
  }

  return {
    fromObject,
    fromBody(contentType, body, omitManagedFields) {
      if (body.length === 0) return undefined
      try {
        if (contentType.includes('protobuf')) return fromProtobuf(body, omitManagedFields)
        if (contentType.includes('cbor')) return undefined
        const parsed: unknown = contentType.includes('yaml') ? yamlValue(body) : parseJson(body)
        return writeJson(omitManagedFields ? stripped(parsed) : parsed)
      } catch {
        return undefined
      }
    },
  }
}

/** Throws for YAML other than JSON that would take long to parse a second time. */
function yamlValue(body: Uint8Array): unknown {
  const json = decodeJsonAsYaml(body)
  if (!json && body.length > yamlInlineBytesMax) throw new DecodeError('yaml: too large to be shown')
  return (json ?? decodeYaml(body)).value
}

type Fields = Readonly<Record<string, unknown>>

function withoutManagedFields(object: ApiObject): ApiObject {
  // Without managed fields it is still the same object.
  return stripped(object) as ApiObject
}

/** A copy of an object or list without managed fields. */
function stripped(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { metadata, items } = value
  return {
    ...value,
    ...(isRecord(metadata) && 'managedFields' in metadata ? { metadata: omit(metadata) } : {}),
    ...(Array.isArray(items) ? { items: items.map((item: unknown) => stripped(item)) } : {}),
  }
}

function omit({ managedFields: _managedFields, ...rest }: Fields): Fields {
  return rest
}
