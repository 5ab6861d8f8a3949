import type * as apps from '../../../../api/gen/apps/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors, semanticEqual } from '../../../object/index.ts'
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
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { replicasScale, selectorText } from '../../meta/scale.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import {
  checkIntOrPercent,
  checkNotAboveAll,
  isZero,
  type ReplicaStatusRule,
  validateReplicaStatus,
} from '../replicas.ts'
import { deploymentFromV1beta1 } from './convert.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): apps.DeploymentSpec => (object['spec'] ?? {}) as apps.DeploymentSpec
const statusOf = (object: ApiObject): apps.DeploymentStatus => (object['status'] ?? {}) as apps.DeploymentStatus

const statusRule: ReplicaStatusRule = {
  counts: [
    'observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas',
    'collisionCount', 'terminatingReplicas',
  ], // biome-ignore format: a list of names
  parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
}

function defaults(object: ApiObject): void {
  const spec = object['spec'] as apps.DeploymentSpec
  spec.replicas ??= 1
  const strategy = (spec.strategy ??= {})
  strategy.type ||= 'RollingUpdate'
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {})
    rolling.maxUnavailable ??= '25%'
    rolling.maxSurge ??= '25%'
  }
  spec.revisionHistoryLimit ??= 10
  spec.progressDeadlineSeconds ??= 600
  defaultPodSpec(spec.template.spec)
}

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkNonNegative(errors, spec.replicas, path.child('replicas'))
  const texts = { empty: 'empty selector is invalid for deployment', invalid: 'invalid label selector' }
  checkWorkloadSelector(errors, spec.selector, spec.template, texts, path)
  checkPodTemplate(errors, spec.template, context, path.child('template'))
  checkAlwaysRestarts(errors, spec.template, path.child('template').child('spec'), 'ReplicaSet')
  checkStrategy(errors, spec.strategy ?? {}, path.child('strategy'))
  checkNonNegative(errors, spec.minReadySeconds, path.child('minReadySeconds'))
  checkNonNegative(errors, spec.revisionHistoryLimit, path.child('revisionHistoryLimit'))
  const deadline = spec.progressDeadlineSeconds
  if (deadline !== undefined) {
    checkNonNegative(errors, deadline, path.child('progressDeadlineSeconds'))
    if (deadline <= (spec.minReadySeconds ?? 0))
      errors.push(
        fieldErrors.invalid(path.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'),
      )
  }
  return errors
}

function checkStrategy(errors: FieldError[], strategy: apps.DeploymentStrategy, at: FieldPath): void {
  const { type, rollingUpdate } = strategy
  if (type === 'Recreate') {
    if (rollingUpdate) {
      const why = "may not be specified when strategy `type` is 'Recreate'"
      errors.push(fieldErrors.forbidden(at.child('rollingUpdate'), why))
    }
  } else if (type === 'RollingUpdate') checkRolling(errors, rollingUpdate, at.child('rollingUpdate'))
  else {
    const shown = {
      Type: type ?? '',
      RollingUpdate: rollingUpdate
        ? { MaxUnavailable: rollingUpdate.maxUnavailable, MaxSurge: rollingUpdate.maxSurge }
        : null,
    }
    errors.push(fieldErrors.notSupported(at, shown, ['Recreate', 'RollingUpdate']))
  }
}

function checkRolling(errors: FieldError[], rolling: apps.RollingUpdateDeployment | undefined, at: FieldPath): void {
  if (!rolling) {
    errors.push(fieldErrors.required(at, 'this should be defaulted and never be nil'))
    return
  }
  checkIntOrPercent(errors, rolling.maxUnavailable, at.child('maxUnavailable'))
  checkIntOrPercent(errors, rolling.maxSurge, at.child('maxSurge'))
  if (isZero(rolling.maxUnavailable) && isZero(rolling.maxSurge))
    errors.push(
      fieldErrors.invalid(at.child('maxUnavailable'), rolling.maxUnavailable, 'may not be 0 when `maxSurge` is 0'),
    )
  checkNotAboveAll(errors, rolling.maxUnavailable, at.child('maxUnavailable'))
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  return checkSelectorKept(specOf(object).selector, specOf(old).selector, path)
}

export const deployment: KindDefinition = {
  group: 'apps',
  kind: 'Deployment',
  convert: {
    v1beta1: { toHub: deploymentFromV1beta1 },
    'extensions/v1beta1': { toHub: deploymentFromV1beta1 },
  },
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: specStrategy({
    generation: true,
    // Controllers read annotations, too (a rollback, a pause).
    isChanged: (object, old) =>
      !semanticEqual(object['spec'], old['spec']) ||
      !semanticEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
    validate,
    validateUpdate,
    warnings: (object, context) => [
      ...hostnameWarnings(object.metadata.name),
      ...podWarnings(specOf(object).template, context, 'spec.template.'),
    ],
  }),
  scale: replicasScale(selectorText),
  subresources: {
    status: statusStrategy((object, old) => validateReplicaStatus(statusOf(object), statusOf(old), statusRule), {
      keepLabels: true,
    }),
  },
  columns: [
    nameColumn,
    textColumn(
      'Ready',
      'Pods that are ready, of those wanted.',
      (object) => `${statusOf(object).readyReplicas ?? 0}/${specOf(object).replicas ?? 0}`,
    ),
    textColumn('Up-to-date', 'Pods of the newest template.', (object) => statusOf(object).updatedReplicas ?? 0),
    textColumn(
      'Available',
      'Pods that have been ready long enough.',
      (object) => statusOf(object).availableReplicas ?? 0,
    ),
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
    selectorColumn((object) => specOf(object).selector),
  ],
}
