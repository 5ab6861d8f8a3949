import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { replicaColumns, replicaFields, replicaSetStatus, validateReplicaStatus } from '../../apps/replicas.ts'
import { checkNonNegative } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { labelsText, replicasScale } from '../../meta/scale.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { defaultPodSpec } from '../podspec/defaults.ts'
import { checkAlwaysRestarts, checkPodTemplate, formatLabels, templateColumns } from '../podspec/template.ts'
import { hostnameWarnings, podWarnings } from '../podspec/warnings.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): core.ReplicationControllerSpec =>
  (object['spec'] ?? {}) as core.ReplicationControllerSpec
const statusOf = (object: ApiObject): core.ReplicationControllerStatus =>
  (object['status'] ?? {}) as core.ReplicationControllerStatus

function defaults(object: ApiObject): void {
  const spec = object['spec'] as core.ReplicationControllerSpec
  const labels = spec.template?.metadata?.labels
  if (labels && Object.keys(labels).length > 0) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels }
    if (Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels }
  }
  spec.replicas ??= 1
  if (spec.template) defaultPodSpec(spec.template.spec)
}

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkNonNegative(errors, spec.minReadySeconds, path.child('minReadySeconds'))
  const selector = Object.entries(spec.selector ?? {})
  if (selector.length === 0) errors.push(fieldErrors.required(path.child('selector')))
  checkNonNegative(errors, spec.replicas, path.child('replicas'))
  const template = path.child('template')
  if (!spec.template) errors.push(fieldErrors.required(template))
  else {
    const labels = spec.template.metadata?.labels
    if (selector.some(([key, value]) => labels?.[key] !== value)) {
      const why = '`selector` does not match template `labels`'
      errors.push(fieldErrors.invalid(template.child('metadata').child('labels'), labels, why))
    }
    checkPodTemplate(errors, spec.template, context, template)
    checkAlwaysRestarts(errors, spec.template, template.child('spec'), 'ReplicationController')
  }
  return errors
}

export const replicationController: KindDefinition = {
  group: '',
  kind: 'ReplicationController',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: specStrategy({
    generation: true,
    validate,
    warnings: (object, context) => [
      ...hostnameWarnings(object.metadata.name),
      ...podWarnings(specOf(object).template ?? {}, context, 'spec.template.'),
    ],
  }),
  scale: replicasScale(labelsText),
  subresources: {
    status: statusStrategy((object, old) => validateReplicaStatus(statusOf(object), statusOf(old), replicaSetStatus)),
  },
  columns: [
    nameColumn,
    ...replicaColumns,
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
    textColumn('Selector', 'Labels that select the pods.', (object) => formatLabels(specOf(object).selector), 1),
  ],
  selectableReads: ['status.replicas'],
  selectableFields: replicaFields,
}
