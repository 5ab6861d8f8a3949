import type { Entry } from '../../cache/index.ts'
import { parseOwnObject } from '../../codec/index.ts'
import { defaultColumnReads } from '../../kinds/index.ts'
import { type ApiObject, type ObjectMeta, toResourceVersion } from '../../object/index.ts'
import { formatMediaTypes } from '../../request/index.ts'
import type { Endpoint, EndpointParts } from '../endpoint.ts'
import { createMetadataViews, createObjectViews } from './objectview.ts'

/** Defaults change nothing in a canonical object: the other fields of a row need no decoding. */
export function rowReader(parts: EndpointParts): Endpoint['readRow'] {
  const { kind, registry, codec, gvk } = parts
  const { convertsOnRead } = codec.capabilities
  const whole = (entry: Entry): ApiObject =>
    convertsOnRead ? (shownFrom(parts, entry) ?? codec.convert(entry.object(), gvk)) : entry.object()
  const columnReads = kind.columnReads ?? (kind.columns || kind.rowConditions ? undefined : defaultColumnReads)
  if (!columnReads) return whole
  const read = registry.fieldReader(columnReads)
  const fits = convertsOnRead ? codec.stored?.item(gvk, formatMediaTypes.json)?.fits : undefined
  return (entry) => (entry.canonical && fits?.(entry.stored) !== false ? read(entry) : whole(entry))
}

export function viewsOf(parts: EndpointParts, toServed: Endpoint['toServed']): Pick<Endpoint, 'view' | 'viewMetadata'> {
  const { gvk, registry, codec, kind } = parts
  const isHub = gvk.version === registry.definition.gvk.version && gvk.group === registry.definition.gvk.group
  const isViewable = codec.stored !== undefined && !codec.capabilities.convertsOnRead
  return {
    view:
      isViewable && isHub && kind.heldFields
        ? createObjectViews(registry, kind.heldFields)
        : (entry) => shownFrom(parts, entry) ?? toServed(entry.object()),
    viewMetadata: isViewable
      ? createMetadataViews(registry)
      : (entry) => (shownFrom(parts, entry) ?? entry.object()).metadata,
  }
}

/** An entry's object as a webhook has converted it. */
function shownFrom({ codec, gvk }: EndpointParts, entry: Entry): ApiObject | undefined {
  const item = codec.convertedItem?.(entry, gvk)
  return item && parseOwnObject(item)
}

/** A canonical object's metadata are stored as served, except for their resourceVersion. */
export function metadataReader(parts: EndpointParts): (entry: Entry) => ObjectMeta {
  const { codec, registry } = parts
  if (!codec.stored) return (entry) => entry.object().metadata
  const read = registry.fieldReader(['metadata'])
  const ofStored = (entry: Entry): ObjectMeta =>
    entry.canonical
      ? { ...read(entry).metadata, resourceVersion: toResourceVersion(entry.revision) }
      : entry.object().metadata
  return codec.convertedItem ? (entry) => shownFrom(parts, entry)?.metadata ?? ofStored(entry) : ofStored
}
