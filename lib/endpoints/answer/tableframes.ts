import type { Clock } from '../../base/index.ts'
import type { CacheWatchEvent } from '../../cache/index.ts'
import { toResourceVersion } from '../../object/index.ts'
import type { Negotiated } from '../../request/index.ts'
import type { KindCodec } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { bookmarkObject } from './bookmarkobject.ts'
import { rowEncoder, rowSourceOf, rowSourceOfEntry, type TableRequest, tableItem } from './rows.ts'
import { transformedGvk } from './transformed.ts'

/** Encodes the events of watches that ask for tables of the same form: each as a table of one row. */
export interface TableFrames {
  /** `columns`: with their definitions. Ages are those of this moment. */
  encode(event: CacheWatchEvent, columns: boolean): readonly Uint8Array[]
}

/** Watches of one endpoint that ask for the same get the same object, so that they share batches. */
export type TableForms = (
  endpoint: Endpoint,
  request: Omit<TableRequest, 'columns'>,
  negotiated: Negotiated,
) => TableFrames

export function createTableForms(services: { readonly kindCodec: KindCodec; readonly clock: Clock }): TableForms {
  const made = new WeakMap<Endpoint, Map<string, TableFrames>>()
  return (endpoint, request, negotiated) => {
    const { version, includeObject } = request
    const key = `${version} ${includeObject} ${negotiated.mediaType}`
    const forms = made.get(endpoint) ?? new Map<string, TableFrames>()
    made.set(endpoint, forms)
    const frames = forms.get(key) ?? createTableFrames(services, endpoint, request, negotiated)
    forms.set(key, frames)
    return frames
  }
}

function createTableFrames(
  { kindCodec, clock }: Parameters<typeof createTableForms>[0],
  endpoint: Endpoint,
  { version, includeObject }: Omit<TableRequest, 'columns'>,
  { format, mediaType }: Negotiated,
): TableFrames {
  const errors = endpoint.frame(format)
  const frame = kindCodec.watchFramer(transformedGvk('Table', version), mediaType)
  return {
    encode(event, columns) {
      if (event.error) return event.frame(errors)
      const { entry } = event
      const request = { version, includeObject, columns }
      const resourceVersion = toResourceVersion(entry?.revision ?? event.revision)
      const source = entry
        ? rowSourceOfEntry(endpoint, entry)
        : rowSourceOf(kindCodec, endpoint, bookmarkObject(event, endpoint.registry.definition.gvk))
      const row = rowEncoder(endpoint, request, clock.now())(source)
      return frame(event.type, tableItem(endpoint, { resourceVersion }, request, [row]))
    },
  }
}
