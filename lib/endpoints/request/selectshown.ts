import type { Entry, Predicate } from '../../cache/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * Matches entries by their labels and fields in the served version, which a webhook may have changed. The caller holds
 * webhook-converted entries meanwhile.
 */
export function selectShown(endpoint: Endpoint, predicate: Predicate): (entry: Entry) => boolean {
  const { codec, gvk } = endpoint
  return (entry) => {
    if (codec.isConverted?.(entry, gvk) !== true) return predicate.matches(entry)
    let object: ApiObject | undefined
    const shown = (): ApiObject => (object ??= endpoint.view(entry))
    return predicate.matches({
      key: entry.key,
      stored: entry.stored,
      labels: () => shown().metadata.labels ?? {},
      fields: () => fieldsOf(endpoint, shown()),
    })
  }
}

function fieldsOf({ namespaced, selectableFields }: Endpoint, object: ApiObject): Record<string, string> {
  const { name = '', namespace = '' } = object.metadata
  const fields: Record<string, string> = { 'metadata.name': name }
  if (namespaced) fields['metadata.namespace'] = namespace
  for (const path in selectableFields) fields[path] = selectableFields[path]?.(object) ?? ''
  return fields
}
