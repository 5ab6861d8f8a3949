import type * as former from '../../../../api/gen/node.k8s.io/v1alpha1.ts'
import type { ApiObject } from '../../../object/index.ts'

/** The same class as v1, which has its fields at the top level. */
export function runtimeClassFromV1alpha1(object: ApiObject): ApiObject {
  const { spec, ...rest } = object
  const { runtimeHandler: handler, ...more } = spec as former.RuntimeClassSpec
  return { ...rest, handler, ...more } as ApiObject
}
