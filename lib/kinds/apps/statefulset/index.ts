import type * as apps from '../../../../api/gen/apps/v1.ts'
import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Label,
} from '../../../object/index.ts'
import { checkFormat, checkNonNegative, checkSupported } from '../../check.ts'
import { checkClaimSpec, defaultClaimSpec } from '../../core/persistentvolumeclaim/spec.ts'
import { defaultPodSpec } from '../../core/podspec/defaults.ts'
import {
  checkAlwaysRestarts,
  checkPodTemplate,
  checkWorkloadSelector,
  templateColumns,
} from '../../core/podspec/template.ts'
import { claimWarnings, podWarnings } from '../../core/podspec/warnings.ts'
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

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): apps.StatefulSetSpec => (object['spec'] ?? {}) as apps.StatefulSetSpec
const statusOf = (object: ApiObject): apps.StatefulSetStatus => (object['status'] ?? {}) as apps.StatefulSetStatus

const statusRule: ReplicaStatusRule = {
  counts: [
    'replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration',
    'collisionCount',
  ], // biome-ignore format: a list of names
  parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  ready: 'status.readyReplicas',
}

function defaults(object: ApiObject): void {
  const spec = object['spec'] as apps.StatefulSetSpec
  spec.podManagementPolicy ||= 'OrderedReady'
  const strategy = (spec.updateStrategy ??= {})
  if (!strategy.type) {
    strategy.type = 'RollingUpdate'
    strategy.rollingUpdate ??= {}
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {})
  retention.whenDeleted ||= 'Retain'
  retention.whenScaled ||= 'Retain'
  spec.replicas ??= 1
  spec.revisionHistoryLimit ??= 10
  defaultPodSpec(spec.template.spec)
  for (const claim of spec.volumeClaimTemplates ?? []) {
    defaultClaimSpec(claim.spec)
    claim.status.phase ||= 'Pending'
    // Templates are complete objects except for storage.
    claim.apiVersion = 'v1'
    claim.kind = 'PersistentVolumeClaim'
  }
}

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const policy = spec.podManagementPolicy ?? ''
  if (policy === '') errors.push(fieldErrors.required(path.child('podManagementPolicy')))
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(fieldErrors.invalid(path.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'"))
  checkUpdateStrategy(errors, spec.updateStrategy ?? {}, path.child('updateStrategy'))
  checkRetention(errors, spec, path.child('persistentVolumeClaimRetentionPolicy'))
  checkNonNegative(errors, spec.replicas, path.child('replicas'))
  checkNonNegative(errors, spec.minReadySeconds, path.child('minReadySeconds'))
  checkNonNegative(errors, spec.ordinals?.start, path.child('ordinals').child('start'))
  if (spec.serviceName) checkFormat(errors, spec.serviceName, path.child('serviceName'), validateDns1123Label)
  checkWorkloadSelector(
    errors,
    spec.selector,
    spec.template,
    { empty: 'empty selector is invalid for statefulset', invalid: '' },
    path,
  )
  const template = path.child('template')
  checkPodTemplate(errors, withClaimVolumes(spec), context, template)
  checkAlwaysRestarts(errors, spec.template, template.child('spec'), undefined)
  if (spec.template?.spec?.activeDeadlineSeconds !== undefined) {
    const why = 'activeDeadlineSeconds in StatefulSet is not Supported'
    errors.push(fieldErrors.forbidden(template.child('spec').child('activeDeadlineSeconds'), why))
  }
  return errors
}

/**
 * The template with a volume for each claim template, which replaces a volume of the same name. Volume mounts of
 * containers are checked on this template, because they may name claims.
 */
function withClaimVolumes({ template, volumeClaimTemplates = [] }: apps.StatefulSetSpec): core.PodTemplateSpec {
  if (volumeClaimTemplates.length === 0) return template
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name ?? ''))
  const volumes = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = template.spec?.volumes?.filter(({ name }) => !names.has(name)) ?? []
  return { ...template, spec: { ...template.spec, volumes: [...volumes, ...others] } }
}

function checkUpdateStrategy(errors: FieldError[], strategy: apps.StatefulSetUpdateStrategy, at: FieldPath): void {
  const { type, rollingUpdate } = strategy
  if (!type) errors.push(fieldErrors.required(at))
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      const why = "only allowed for updateStrategy 'RollingUpdate'"
      errors.push(fieldErrors.invalid(at.child('rollingUpdate'), rollingUpdate, why))
    }
  } else if (type === 'RollingUpdate') {
    if (!rollingUpdate) return
    checkNonNegative(errors, rollingUpdate.partition, at.child('rollingUpdate').child('partition'))
    const { maxUnavailable } = rollingUpdate
    if (maxUnavailable === undefined) return
    const max = at.child('rollingUpdate').child('maxUnavailable')
    checkIntOrPercent(errors, maxUnavailable, max)
    if (isZero(maxUnavailable)) errors.push(fieldErrors.invalid(max, maxUnavailable, 'cannot be 0'))
    checkNotAboveAll(errors, maxUnavailable, max)
  } else {
    const rolling = rollingUpdate
      ? { Partition: rollingUpdate.partition ?? null, MaxUnavailable: rollingUpdate.maxUnavailable ?? null }
      : null
    errors.push(
      fieldErrors.invalid(at, { Type: type, RollingUpdate: rolling }, "must be 'RollingUpdate' or 'OnDelete'"),
    )
  }
}

function checkRetention(errors: FieldError[], spec: apps.StatefulSetSpec, at: FieldPath): void {
  for (const name of ['whenDeleted', 'whenScaled'] as const)
    checkSupported(errors, spec.persistentVolumeClaimRetentionPolicy?.[name], at.child(name), ['Retain', 'Delete'])
}

/** Claims are checked when the set is created; later they can't change. */
function validateCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  specOf(object).volumeClaimTemplates?.forEach((claim, index) =>
    checkClaimSpec(errors, claim.spec, path.child('volumeClaimTemplates').index(index).child('spec')),
  )
  return [...errors, ...validate(object, context)]
}

const free = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const rest = (spec: apps.StatefulSetSpec): unknown =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !free.some((one) => one === name)))
  if (deepEqual(rest(specOf(object)), rest(specOf(old)))) return []
  const names = `${free
    .slice(0, -1)
    .map((name) => `'${name}'`)
    .join(', ')} and '${free.at(-1)}'`
  return [fieldErrors.forbidden(path, `updates to statefulset spec for fields other than ${names} are forbidden`)]
}

function warnings(object: ApiObject, context: KindContext): string[] {
  const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = specOf(object)
  return [
    ...podWarnings(template, context, 'spec.template.'),
    ...volumeClaimTemplates.flatMap(({ spec }, index) => claimWarnings(`spec.volumeClaimTemplates[${index}]`, spec)),
    ...(revisionHistoryLimit < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ]
}

export const statefulSet: KindDefinition = {
  group: 'apps',
  kind: 'StatefulSet',
  // Pods are named after the set, and have hostnames.
  nameRule: nameRules.label,
  defaults: { v1: defaults },
  strategy: {
    ...specStrategy({
      generation: true,
      validate,
      validateUpdate,
      warnings,
    }),
    validateCreate,
  },
  scale: replicasScale(selectorText),
  subresources: {
    status: statusStrategy((object, old) => validateReplicaStatus(statusOf(object), statusOf(old), statusRule)),
  },
  columns: [
    nameColumn,
    textColumn(
      'Ready',
      'Pods that are ready, of those wanted.',
      (object) => `${statusOf(object).readyReplicas ?? 0}/${specOf(object).replicas ?? 0}`,
    ),
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
  ],
}
