import type * as former from '../../../../api/gen/apps/v1beta1.ts'
import type { ApiObject } from '../../../object/index.ts'

/** The template's generation from before apps/v1, which pods of old sets have as a label. */
export const templateGeneration = 'deprecated.daemonset.template.generation'

/** The same set as v1, where an annotation holds the generation of its template. */
export function daemonSetFromV1beta1(object: ApiObject): ApiObject {
  const { templateGeneration: generation = 0, ...spec } = object['spec'] as former.DaemonSetSpec
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) }
  return { ...object, metadata: { ...object.metadata, annotations }, spec }
}
