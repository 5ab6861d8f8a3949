import type * as former from '../../../../api/gen/apps/v1beta1.ts'
import type { ApiObject } from '../../../object/index.ts'

const rollbackTo = 'deprecated.deployment.rollback.to'

/** The same deployment as v1, where an annotation names the revision to roll back to. */
export function deploymentFromV1beta1(object: ApiObject): ApiObject {
  const { rollbackTo: rollback, ...spec } = object['spec'] as former.DeploymentSpec
  if (!rollback) return { ...object, spec }
  const annotations = { ...object.metadata.annotations, [rollbackTo]: String(rollback.revision ?? 0) }
  return { ...object, metadata: { ...object.metadata, annotations }, spec }
}
