import type { CacheWatch, CacheWatchOptions, CacheWatchSink, WatchEvent } from '../../cache/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Negotiated, ObjectEvent, ObjectExchange, ObjectStream } from '../../request/index.ts'
import { bookmarkObject, type Endpoint } from '../endpoint.ts'
import type { Services } from '../services.ts'
import { errorEvent } from './errorevent.ts'
import { shownEntry } from './respond.ts'
import { watchSelected } from './watchselected.ts'
import { withConverted } from './withconverted.ts'

/**
 * A watch of a client in this process: the cache's own objects, in the cache's own batches. The client takes what it
 * gets, so that nothing waits here.
 */
export async function watchObjects(
  objects: ObjectExchange,
  endpoint: Endpoint,
  { clock }: Services,
  negotiated: Negotiated,
  options: CacheWatchOptions & { readonly timeoutMs: number },
): Promise<void> {
  const over = Promise.withResolvers<void>()
  // A watch that is refused has no stream.
  const answer: { stream?: ObjectStream } = {}
  const watched: { watching?: CacheWatch } = {}
  const deliver = (events: readonly WatchEvent[]): boolean => {
    answer.stream?.events(events.map((event) => objectEvent(endpoint, negotiated, event)))
    return true
  }
  const sink: CacheWatchSink = {
    onEvents(events) {
      const entries = endpoint.codec.prepare ? events.flatMap(({ entry }) => entry ?? []) : []
      const delivering = withConverted(endpoint, entries, () => deliver(events))
      if (typeof delivering === 'boolean') return delivering
      void delivering.then(
        () => watched.watching?.resume(),
        (error: unknown) => {
          deliver([errorEvent(error)])
          watched.watching?.close()
        },
      )
      return false
    },
    onEnd() {
      answer.stream?.end()
      over.resolve()
    },
  }
  const watching = await watchSelected(endpoint, options, sink)
  watched.watching = watching
  answer.stream = objects.watch()
  const timer = clock.after(options.timeoutMs, () => watching.close())
  await over.promise
  void timer.close()
}

function objectEvent(endpoint: Endpoint, negotiated: Negotiated, event: WatchEvent): ObjectEvent {
  const { type, entry, error } = event
  if (error) return { type, object: error.toStatus() as unknown as ApiObject }
  // A bookmark has no more than metadata.
  const object = entry ? shownEntry(endpoint, negotiated, entry) : bookmarkObject(event, endpoint.gvk)
  return { type, object }
}
