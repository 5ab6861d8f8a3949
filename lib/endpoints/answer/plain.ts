import type { CacheWatchEvent, Entry } from '../../cache/index.ts'
import type { ApiObject, ListMeta } from '../../object/index.ts'
import type { Written } from '../../registry/index.ts'
import { formatMediaTypes } from '../../request/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { FrameStream } from './framestream.ts'
import { largeItem } from './largeitem.ts'
import { prepareItems } from './listbody.ts'
import type { Asked, Entries, Send, WatchAnswer } from './rendering.ts'
import { send, sendObject } from './send.ts'
import { SharedRendering } from './sharedrendering.ts'
import { type TextForm, textFormOf } from './textform.ts'
import { adoptWritten, readBack } from './written.ts'

/** Answers with whole objects, from bytes that the cache keeps. */
export class PlainRendering extends SharedRendering {
  /** Undefined: the format is binary. */
  readonly #form: TextForm | undefined
  override readonly walks: boolean

  constructor(asked: Asked) {
    super(asked)
    this.#form = textFormOf(asked.call, asked.negotiated)
    this.walks = this.#form === 'pretty' || this.#form === 'yaml'
  }

  override one(entry: Entry): void | Promise<void> {
    const { call, endpoint, services, negotiated } = this.asked
    const { format, mediaType } = negotiated
    if (this.#form === 'pretty') return super.one(entry)
    const body = endpoint.body(format)
    const kept = entry.keptBytes(body)
    if (kept) return send(call, 200, mediaType, kept)
    const making = largeItem(endpoint, entry, format, services)
    if (!making) return send(call, 200, mediaType, entry.bytes(body))
    const { codec, gvk } = endpoint
    return making.then((item) => send(call, 200, mediaType, codec.encodeFromItem(gvk, item, mediaType)))
  }

  override written(status: number, written: Written): void | Promise<void> {
    if (this.#form === 'pretty') return super.written(status, written)
    // The registry works in the version of the request where objects are converted when they are read.
    const { entry } = written
    if (entry && !this.asked.endpoint.capabilities.convertsOnRead) return this.one(entry)
    return withConversions(() => this.#answerWritten(status, readBack(this.asked.endpoint, written)))
  }

  /** Gives the cache the item of the answer. */
  #answerWritten(status: number, left: Written): void | Promise<void> {
    const { call, endpoint, negotiated } = this.asked
    const { codec, gvk } = endpoint
    const { format, mediaType } = negotiated
    const bytes = codec.encodeItem(
      endpoint.toServed(left.object),
      formatMediaTypes[format === 'yaml' ? 'json' : format],
    )
    adoptWritten(endpoint, left, { encoding: endpoint.item(format), bytes })
    return send(call, status, mediaType, codec.encodeFromItem(gvk, bytes, mediaType))
  }

  protected override object(status: number, object: ApiObject): void | Promise<void> {
    const { call, endpoint, negotiated } = this.asked
    return sendObject(call, endpoint.codec, negotiated, status, endpoint.toServed(object))
  }

  override prepareList({ entries }: Entries, metadata: ListMeta): Promise<Send> {
    const { endpoint, services, negotiated } = this.asked
    const { format } = negotiated
    return prepareItems(this.asked, entries, {
      listGvk: endpoint.listGvk,
      metadata,
      encoding: endpoint.item(format),
      ...(endpoint.capabilities.convertsOnRead && {
        elsewhere: (entry: Entry) => largeItem(endpoint, entry, format, services),
      }),
    })
  }

  override watch(): WatchAnswer {
    const { endpoint, services, negotiated } = this.asked
    const encoding = endpoint.frame(negotiated.format)
    const encode = (event: CacheWatchEvent): readonly Uint8Array[] => event.frame(encoding)
    return new FrameStream(this.asked, (events) => services.batches(events, encoding, encode))
  }
}
