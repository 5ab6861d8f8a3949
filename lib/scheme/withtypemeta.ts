import { type ApiObject, formatGroupVersion, type GroupVersionKind } from '../object/index.ts'

/** Adds kind and apiVersion to a decoded struct. */
export function withTypeMeta(decoded: Record<string, unknown>, gvk: GroupVersionKind): ApiObject {
  if (decoded['kind'] === gvk.kind && decoded['apiVersion'] !== undefined) return decoded as ApiObject
  const typeMeta = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
  // Spread twice: the first gives the order, the last replaces empty values of the body.
  return { ...typeMeta, ...decoded, ...typeMeta } as ApiObject
}
