import type * as apps from '../../../../api/gen/apps/v1.ts'
import { type ApiObject, type FieldError, FieldPath } from '../../../object/index.ts'
import { checkNonNegative } from '../../check.ts'
import { defaultPodSpec } from '../../core/podspec/defaults.ts'
import {
  checkAlwaysRestarts,
  checkPodTemplate,
  checkSelectorKept,
  checkWorkloadSelector,
  selectorColumn,
  templateColumns,
} from '../../core/podspec/template.ts'
import { hostnameWarnings, podWarnings } from '../../core/podspec/warnings.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { replicasScale, selectorText } from '../../meta/scale.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { replicaColumns, replicaFields, replicaSetStatus, validateReplicaStatus } from '../replicas.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): apps.ReplicaSetSpec => (object['spec'] ?? {}) as apps.ReplicaSetSpec
const statusOf = (object: ApiObject): apps.ReplicaSetStatus => (object['status'] ?? {}) as apps.ReplicaSetStatus

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkNonNegative(errors, spec.replicas, path.child('replicas'))
  checkNonNegative(errors, spec.minReadySeconds, path.child('minReadySeconds'))
  const texts = { empty: 'empty selector is invalid for deployment', invalid: 'invalid label selector' }
  checkWorkloadSelector(errors, spec.selector, spec.template, texts, path)
  checkPodTemplate(errors, spec.template, context, path.child('template'))
  checkAlwaysRestarts(errors, spec.template, path.child('template').child('spec'), 'ReplicaSet')
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  return checkSelectorKept(specOf(object).selector, specOf(old).selector, path)
}

export const replicaSet: KindDefinition = {
  group: 'apps',
  kind: 'ReplicaSet',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      const spec = object['spec'] as apps.ReplicaSetSpec
      spec.replicas ??= 1
      defaultPodSpec(spec.template.spec)
    },
  },
  strategy: specStrategy({
    generation: true,
    validate,
    validateUpdate,
    warnings: (object, context) => [
      ...hostnameWarnings(object.metadata.name),
      ...podWarnings(specOf(object).template, context, 'spec.template.'),
    ],
  }),
  scale: replicasScale(selectorText),
  subresources: {
    status: statusStrategy((object, old) => validateReplicaStatus(statusOf(object), statusOf(old), replicaSetStatus)),
  },
  columns: [
    nameColumn,
    ...replicaColumns,
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
    selectorColumn((object) => specOf(object).selector),
  ],
  selectableReads: ['status.replicas'],
  selectableFields: replicaFields,
}
