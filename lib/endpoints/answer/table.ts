import { assert } from '../../base/index.ts'
import type { CacheWatchEvent, Entry } from '../../cache/index.ts'
import { type ApiObject, type ListMeta, toResourceVersion } from '../../object/index.ts'
import type { Transform } from '../../request/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { Batch } from './batch.ts'
import { FrameStream } from './framestream.ts'
import { chunkedBytesMin, isLarge } from './listbody.ts'
import { mapWithPauses } from './mapwithpauses.ts'
import type { Asked, Entries, Send, WatchAnswer } from './rendering.ts'
import {
  laterRows,
  parseIncludeObject,
  type RowSource,
  rowEncoder,
  rowSourceOf,
  rowSourceOfEntry,
  tableFrame,
} from './rows.ts'
import { send, sendChunks } from './send.ts'
import { SharedRendering } from './sharedrendering.ts'
import { shownMetadata } from './shownmetadata.ts'
import { listText, type TextForm, textFormOf } from './textform.ts'

/** Answers with tables, whose rows are the objects. */
export class TableRendering extends SharedRendering {
  readonly #version: Transform['version']

  constructor(asked: Asked, { version }: Transform) {
    super(asked)
    this.#version = version
  }

  /** The entry provides a row without decoding the whole object. */
  override one(entry: Entry): void | Promise<void> {
    const { endpoint } = this.asked
    // A scale has less metadata than its object.
    if (endpoint.main) return super.one(entry)
    const resourceVersion = toResourceVersion(entry.revision)
    return withConversions(() => this.#row(200, resourceVersion, rowSourceOfEntry(endpoint, entry)))
  }

  protected override object(status: number, object: ApiObject): void | Promise<void> {
    const { endpoint, services } = this.asked
    const metadata = shownMetadata(endpoint, object)
    const { resourceVersion = '' } = metadata
    return this.#row(status, resourceVersion, rowSourceOf(services.kindCodec, endpoint, object, metadata))
  }

  #row(status: number, resourceVersion: string, source: RowSource): void | Promise<void> {
    const { call, endpoint, services, negotiated } = this.asked
    const { kindCodec, clock } = services
    const request = this.#request()
    const row = rowEncoder(endpoint, request, clock.now())(source)
    const frame = tableFrame(kindCodec, endpoint, { resourceVersion }, request)
    return send(call, status, negotiated.mediaType, Array.from(listText(this.#form(), frame, 'rows', [row])))
  }

  override async prepareList({ entries }: Entries, metadata: ListMeta): Promise<Send> {
    const { call, endpoint, services, negotiated } = this.asked
    const { kindCodec, clock } = services
    const { mediaType } = negotiated
    const request = this.#request()
    const form = this.#form()
    const frame = tableFrame(kindCodec, endpoint, metadata, request)
    // A single row may take long.
    const pace = { itemsPerLook: 1 }
    if (isLarge(entries)) {
      const { prepare, texts } = laterRows(endpoint, request, clock.now())
      const rows = await mapWithPauses(entries, prepare, clock, pace)
      return () => sendChunks(call, 200, mediaType, listText(form, frame, 'rows', texts(rows)))
    }
    const encodeRow = rowEncoder(endpoint, request, clock.now())
    const encode = (entry: Entry): Uint8Array => encodeRow(rowSourceOfEntry(endpoint, entry))
    const rows = await mapWithPauses(entries, encode, clock, pace)
    const text = listText(form, frame, 'rows', rows)
    // Small objects may have large cells.
    if (form !== 'json' && bytesOf(rows) >= chunkedBytesMin) return () => sendChunks(call, 200, mediaType, text)
    const parts = Array.from(text)
    return () => send(call, 200, mediaType, parts)
  }

  /**
   * Answers each event with a table of one row; only the first has the columns. Watchers share the later ones of a
   * delivery, with the ages at its first watcher.
   */
  override watch(): WatchAnswer {
    const { endpoint, services, negotiated } = this.asked
    const frames = services.tableForms(endpoint, this.#request(), negotiated)
    let isFirst = true
    const encode = (event: CacheWatchEvent): readonly Uint8Array[] => {
      const frame = frames.encode(event, isFirst)
      isFirst &&= event.error !== undefined
      return frame
    }
    const encodeLater = (event: CacheWatchEvent): readonly Uint8Array[] => frames.encode(event, false)
    return new FrameStream(this.asked, (events) =>
      isFirst ? new Batch(events, encode) : services.batches(events, frames, encodeLater),
    )
  }

  #request(): Parameters<typeof rowEncoder>[1] {
    return { version: this.#version, includeObject: parseIncludeObject(this.asked.call.query), columns: true }
  }

  #form(): TextForm {
    const form = textFormOf(this.asked.call, this.asked.negotiated)
    assert(form, 'tables are negotiated as text only')
    return form
  }
}

function bytesOf(rows: readonly Uint8Array[]): number {
  let bytes = 0
  for (const row of rows) bytes += row.byteLength
  return bytes
}
