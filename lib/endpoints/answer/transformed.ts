import type { GroupVersionKind } from '../../object/index.ts'

/** The kind of an answer in another form than the object's own: Table, PartialObjectMetadata(List). */
export function transformedGvk(kind: string, version: string): GroupVersionKind {
  return { group: 'meta.k8s.io', version, kind }
}
