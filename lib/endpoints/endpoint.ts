import type { Encoding, Entry, FrameEncoding } from '../cache/index.ts'
import { type Column, defaultColumns, type KindDefinition } from '../kinds/index.ts'
import type { ApiObject, GroupVersionKind, GroupVersionResource, ObjectMeta } from '../object/index.ts'
import type { ResourceRegistry } from '../registry/index.ts'
import type { Format, Negotiator, Transform } from '../request/index.ts'
import type { ResourceTable } from '../schema/index.ts'
import type { CodecCapabilities, ObjectCodec, Scheme } from '../scheme/index.ts'
import type { Deprecation } from './answer/deprecation.ts'
import type { EncodingIds } from './answer/encodingids.ts'
import { convertedOf, createEncodings } from './answer/encodings.ts'
import { metadataReader, rowReader, viewsOf } from './answer/entryviews.ts'
import { createSelections, type Selections } from './request/selections.ts'
import { scaleView } from './verbs/scale.ts'

/** One stored resource in one version, ready to serve. */
export interface Endpoint {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly listGvk: GroupVersionKind
  readonly namespaced: boolean
  /** The served table: without disabled subresources. */
  readonly table: ResourceTable
  readonly registry: ResourceRegistry
  /** Converts between objects and bytes. */
  readonly codec: ObjectCodec
  readonly negotiator: Negotiator
  readonly columns: readonly Column[]
  /**
   * An entry's object, decoded as far as the columns read it: in the served version where objects are converted on read,
   * else in the hub version.
   */
  readRow(entry: Entry): ApiObject
  /** An entry's object in the served version, for clients in this process. */
  view(entry: Entry): ApiObject
  viewMetadata(entry: Entry): ObjectMeta
  readonly deprecation: Deprecation | undefined
  /** The capabilities of the objects' own codec, also for another view of them. */
  readonly capabilities: CodecCapabilities
  /** The current stored definition of a custom resource. */
  readonly definedBy: (() => Entry) | undefined
  readonly selections: Selections
  /** The fields of an object in the served version that selectors see, besides those of its metadata. */
  readonly selectableFields: KindDefinition['selectableFields']
  /**
   * Converts from the working version to the served one; answers the object itself when they are the same. Shares with
   * `object`, changes nothing.
   */
  toServed(object: ApiObject): ApiObject
  /** Throws for an object that can't be shown in this form: a scale without replicas. */
  checkShown?(object: ApiObject): void
  /** Converts from the served version. `existing`: the stored object that it replaces, in the working version. */
  toWorking(object: ApiObject, existing?: ApiObject): ApiObject
  /** For a subresource view such as `scale`: the endpoint of the objects themselves. Undefined for that endpoint. */
  readonly main: Endpoint | undefined
  /** Views of the same objects as another kind, by subresource (`scale`). */
  readonly subresourceViews: ReadonlyMap<string, Endpoint>
  /** An object's bytes without kind and apiVersion. */
  item(format: Format): Encoding
  /** The body of a get. */
  body(format: Format): Encoding
  /** The PartialObjectMetadata; in JSON with kind and apiVersion, as in lists. */
  partial(format: Format, version: Transform['version']): Encoding
  frame(format: Format): FrameEncoding
  partialFrame(format: Format, version: Transform['version']): FrameEncoding
}

/** The parts of an endpoint. */
export interface EndpointParts {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly table: ResourceTable
  readonly registry: ResourceRegistry
  readonly codec: ObjectCodec
  /** The version's columns, scale and selectable fields. */
  readonly kind: KindDefinition
  readonly negotiator: Negotiator
  readonly deprecation: Deprecation | undefined
  readonly definedBy: (() => Entry) | undefined
}

export function createEndpoint(parts: EndpointParts, scheme: Scheme, encodingIds: EncodingIds): Endpoint {
  const { gvr, gvk, table, registry, codec, kind } = parts
  const conversion = conversionOf(parts)
  const subresourceViews = new Map<string, Endpoint>()
  const endpoint: Endpoint = {
    gvr,
    gvk,
    listGvk: { ...gvk, kind: table.listKind ?? `${gvk.kind}List` },
    namespaced: table.namespaced,
    table,
    registry,
    codec,
    negotiator: parts.negotiator,
    deprecation: parts.deprecation,
    capabilities: codec.capabilities,
    definedBy: parts.definedBy,
    columns: kind.columns ?? defaultColumns,
    readRow: rowReader(parts),
    ...viewsOf(parts, conversion.toServed),
    selections: createSelections({ gvk, table, kind }),
    selectableFields: kind.selectableFields,
    main: undefined,
    subresourceViews,
    ...conversion,
    ...createEncodings(
      gvk,
      conversion.toServed,
      {
        codec,
        kindCodec: scheme.objects,
        stored: codec.stored,
        converted: convertedOf(parts),
        metadataOf: metadataReader(parts),
      },
      encodingIds,
    ),
  }
  const { scale } = kind
  if (scale && table.subresources?.['scale']) {
    const view = scaleView(scale, gvr, codec.capabilities.convertsOnRead ? conversion.toServed : undefined)
    // A scale is of a built-in kind, even for a custom resource.
    const scaleCodec = scheme.codec(gvr)
    subresourceViews.set('scale', {
      ...endpoint,
      ...view,
      codec: scaleCodec,
      main: endpoint,
      ...createEncodings(
        view.gvk,
        view.toServed,
        {
          codec: scaleCodec,
          kindCodec: scheme.objects,
          stored: undefined,
          converted: convertedOf(parts),
          metadataOf: (entry) => entry.object().metadata,
        },
        encodingIds,
      ),
    })
  }
  return endpoint
}

function conversionOf({ gvk, registry, codec }: EndpointParts): Pick<Endpoint, 'toServed' | 'toWorking'> {
  if (codec.capabilities.convertsOnRead)
    return { toServed: (object) => codec.convert(object, gvk), toWorking: (object) => object }
  const hub = registry.definition.gvk
  if (gvk.version === hub.version && gvk.group === hub.group)
    return { toServed: (object) => object, toWorking: (object) => object }
  return { toServed: (object) => codec.convert(object, gvk), toWorking: (object) => codec.convert(object, hub) }
}
