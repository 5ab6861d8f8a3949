import type { Entry, FieldIndex, ResourceOptions } from '../cache/index.ts'
import { hasEnvelope, readLabels, readObjectMeta } from '../codec/index.ts'
import type { KindDefinition } from '../kinds/index.ts'
import type { ApiObject } from '../object/index.ts'
import type { ObjectCodec } from '../scheme/index.ts'
import { readStored } from './stored.ts'

type Texts = Readonly<Record<string, string>>

/** The labels and fields that selectors read, from the stored bytes where these suffice. */
export function selectables(
  kind: KindDefinition,
  namespaced: boolean,
  codec: ObjectCodec,
): Pick<ResourceOptions, 'labels' | 'fields' | 'indexes'> & Required<Pick<ResourceOptions, 'storedLabels'>> {
  const { indexedFields = [] } = kind
  const readLabelsAlone = codec.fieldReader?.(['metadata.labels'])
  const fieldsReader = memoized(codec)
  const readFields = (entry: Entry): Texts => {
    // The selectable fields of a custom resource change with its definition.
    const { selectableFields, selectableReads } = kind
    if (!selectableFields) {
      const { name, namespace } = readObjectMeta(entry.stored)
      return metadataFields(name, namespaced ? namespace : undefined)
    }
    // Defaults change nothing in a canonical object.
    const read = selectableReads && entry.canonical ? fieldsReader(selectableReads) : undefined
    const object = read ? read(entry.stored) : entry.object()
    const { name = '', namespace = '' } = object.metadata
    const fields = metadataFields(name, namespaced ? namespace : undefined)
    for (const path in selectableFields) fields[path] = selectableFields[path]?.(object) ?? ''
    return fields
  }
  const readLabelsOf = (entry: Entry): Texts => {
    if (kind.defaultsMetadata && !entry.canonical) return entry.object().metadata.labels ?? {}
    if (hasEnvelope(entry.stored)) return readLabels(entry.stored)
    if (readLabelsAlone && entry.canonical) return readLabelsAlone(entry.stored).metadata.labels ?? {}
    return kind.selectableFields ? (entry.object().metadata.labels ?? {}) : readObjectMeta(entry.stored).labels
  }
  return {
    labels: (entry) => readStored(entry, () => readLabelsOf(entry)),
    storedLabels: (stored) => (!kind.defaultsMetadata && hasEnvelope(stored) ? readLabels(stored) : undefined),
    fields: (entry) => readStored(entry, () => readFields(entry)),
    indexes: indexedFields.flatMap((field) => indexOf(field, kind.selectableFields?.[field], codec)),
  }
}

/** Returns readers of names and these fields; keeps the last one. */
function memoized(codec: ObjectCodec): (paths: readonly string[]) => ((stored: Uint8Array) => ApiObject) | undefined {
  let last: { paths: readonly string[]; read: ((stored: Uint8Array) => ApiObject) | undefined } | undefined
  return (paths) => {
    if (last?.paths !== paths)
      last = { paths, read: codec.fieldReader?.(['metadata.name', 'metadata.namespace', ...paths]) }
    return last.read
  }
}

function indexOf(
  field: string,
  textOf: ((object: ApiObject) => string) | undefined,
  codec: ObjectCodec,
): readonly FieldIndex[] {
  const read = codec.fieldReader?.([field])
  return textOf && read ? [{ field, valueOf: (stored) => textOf(read(stored)) }] : []
}

function metadataFields(name: string, namespace: string | undefined): Record<string, string> {
  return namespace === undefined
    ? { 'metadata.name': name }
    : { 'metadata.name': name, 'metadata.namespace': namespace }
}
