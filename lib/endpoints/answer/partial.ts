import type { CacheWatchEvent } from '../../cache/index.ts'
import { indentJson } from '../../codec/index.ts'
import { type ApiObject, type ListMeta, statusErrors } from '../../object/index.ts'
import type { Transform } from '../../request/index.ts'
import { FrameStream } from './framestream.ts'
import { prepareItems } from './listbody.ts'
import { encodePartialItem } from './partialitem.ts'
import type { Asked, Entries, Send, WatchAnswer } from './rendering.ts'
import { send } from './send.ts'
import { SharedRendering } from './sharedrendering.ts'
import { shownMetadata } from './shownmetadata.ts'
import { wantsPretty } from './textform.ts'
import { transformedGvk } from './transformed.ts'

/** Answers with metadata only: PartialObjectMetadata, PartialObjectMetadataList. */
export class PartialRendering extends SharedRendering {
  readonly #transform: Transform

  constructor(asked: Asked, transform: Transform) {
    super(asked)
    this.#transform = transform
  }

  protected override object(status: number, object: ApiObject): void | Promise<void> {
    const { call, endpoint, services, negotiated } = this.asked
    const { kind, version } = this.#transform
    if (kind !== 'PartialObjectMetadata')
      throw statusErrors.notAcceptable(
        `you requested ${kind}, but the requested object is not a list (${endpoint.gvk.kind})`,
      )
    const { kindCodec } = services
    const { mediaType } = negotiated
    const item = encodePartialItem(kindCodec, shownMetadata(endpoint, object), mediaType)
    const partial = kindCodec.encodeFromItem(transformedGvk(kind, version), item, mediaType)
    const body = wantsPretty(call, negotiated) ? Array.from(indentJson([partial])) : partial
    return send(call, status, mediaType, body)
  }

  override async prepareList({ entries }: Entries, metadata: ListMeta): Promise<Send> {
    const { endpoint, negotiated } = this.asked
    const { kind, version } = this.#transform
    if (kind !== 'PartialObjectMetadataList')
      throw statusErrors.notAcceptable(
        `you requested ${kind}, but the requested object is a list (${endpoint.listGvk.kind})`,
      )
    return prepareItems(this.asked, entries, {
      listGvk: transformedGvk(kind, version),
      metadata,
      encoding: endpoint.partial(negotiated.format, version),
    })
  }

  override watch(): WatchAnswer {
    const { endpoint, services, negotiated } = this.asked
    const encoding = endpoint.partialFrame(negotiated.format, this.#transform.version)
    const encode = (event: CacheWatchEvent): readonly Uint8Array[] => event.frame(encoding)
    return new FrameStream(this.asked, (events) => services.batches(events, encoding, encode))
  }
}
