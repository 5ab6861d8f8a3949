import type { CacheWatchEvent, Entry } from '../../cache/index.ts'
import { type ApiObject, formatGroupVersion, type ListMeta, statusErrors } from '../../object/index.ts'
import type { ObjectEvent, ObjectExchange, ObjectStream } from '../../request/index.ts'
import { bookmarkObject } from './bookmarkobject.ts'
import { mapWithPauses } from './mapwithpauses.ts'
import type { Asked, Entries, Send, WatchAnswer } from './rendering.ts'
import { SharedRendering } from './sharedrendering.ts'
import { shownMetadata } from './shownmetadata.ts'
import { transformedGvk } from './transformed.ts'

/** Objects for a client in this process: the cache's own objects, whole or their metadata. */
export class ObjectsRendering extends SharedRendering {
  readonly #objects: ObjectExchange

  constructor(asked: Asked, objects: ObjectExchange) {
    super(asked)
    this.#objects = objects
  }

  protected override object(status: number, object: ApiObject): void {
    const { endpoint } = this.asked
    const shown = this.#isWhole() ? endpoint.toServed(object) : this.#partial(shownMetadata(endpoint, object))
    this.#objects.answer(status, shown)
  }

  override async prepareList({ entries }: Entries, metadata: ListMeta): Promise<Send> {
    const { endpoint, services, negotiated } = this.asked
    const { transform } = negotiated
    const gvk = transform ? transformedGvk('PartialObjectMetadataList', transform.version) : endpoint.listGvk
    const items = await mapWithPauses(entries, (entry) => this.#shown(entry), services.clock)
    const list = { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata, items }
    return () => this.#objects.answerList(200, list)
  }

  /** The client never blocks the stream. */
  override watch(): WatchAnswer {
    // A refused watch has no stream.
    let stream: ObjectStream | undefined
    return {
      begin: () => void (stream = this.#objects.watch()),
      deliver: (events) => {
        stream?.events(events.map((event) => this.#event(event)))
        return true
      },
      end: () => stream?.end(),
    }
  }

  #event(event: CacheWatchEvent): ObjectEvent {
    const { type, entry, error } = event
    if (error) return { type, object: error.toStatus() }
    // A bookmark has only metadata.
    return { type, object: entry ? this.#shown(entry) : bookmarkObject(event, this.asked.endpoint.gvk) }
  }

  /** An entry's object for a client that may keep it for long. */
  #shown(entry: Entry): ApiObject {
    const { endpoint } = this.asked
    return this.#isWhole() ? endpoint.view(entry) : this.#partial(endpoint.viewMetadata(entry))
  }

  #isWhole(): boolean {
    const { transform } = this.asked.negotiated
    if (transform?.kind === 'Table') throw statusErrors.notAcceptable('clients in process take no tables')
    return transform === undefined
  }

  #partial(metadata: ApiObject['metadata']): ApiObject {
    const gvk = transformedGvk('PartialObjectMetadata', this.asked.negotiated.transform?.version ?? 'v1')
    return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata }
  }
}
