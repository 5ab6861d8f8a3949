import type { ApiObject } from '../../object/index.ts'

/** Metadata that the server sets or that names the object: no manager owns it. */
const unowned: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
])

/** The fields of an object that can have owners; no fields without an object. Shares the nested values. */
export function comparable(object: ApiObject | undefined): Readonly<Record<string, unknown>> {
  if (!object) return nothing
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object
  const fields: Record<string, unknown> = {}
  let owned = false
  if (typeof metadata === 'object' && metadata !== null)
    for (const name in metadata) {
      if (unowned.has(name)) continue
      fields[name] = (metadata as Record<string, unknown>)[name]
      owned = true
    }
  return owned ? { metadata: fields, ...rest } : rest
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({})
