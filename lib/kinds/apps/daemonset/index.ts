import type * as apps from '../../../../api/gen/apps/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors, semanticEqual } from '../../../object/index.ts'
import { checkNonNegative } from '../../check.ts'
import { defaultPodSpec } from '../../core/podspec/defaults.ts'
import {
  checkAlwaysRestarts,
  checkPodTemplate,
  checkSelectorKept,
  checkWorkloadSelector,
  formatLabels,
  selectorColumn,
  templateColumns,
} from '../../core/podspec/template.ts'
import { podWarnings } from '../../core/podspec/warnings.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { checkIntOrPercent, checkNotAboveAll, isZero } from '../replicas.ts'
import { daemonSetFromV1beta1, templateGeneration } from './convert.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): apps.DaemonSetSpec => (object['spec'] ?? {}) as apps.DaemonSetSpec
const statusOf = (object: ApiObject): Partial<apps.DaemonSetStatus> =>
  (object['status'] ?? {}) as Partial<apps.DaemonSetStatus>

function defaults(object: ApiObject): void {
  const spec = object['spec'] as apps.DaemonSetSpec
  const strategy = (spec.updateStrategy ??= {})
  strategy.type ||= 'RollingUpdate'
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {})
    rolling.maxUnavailable ??= 1
    rolling.maxSurge ??= 0
  }
  spec.revisionHistoryLimit ??= 10
  defaultPodSpec(spec.template.spec)
  // The annotation replaces a field of the spec: if the client leaves it out, the server sets it for the client, who
  // then owns it.
  if (object.metadata.annotations?.[templateGeneration] === undefined) setTemplateGeneration(object, 0)
}

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const texts = { empty: 'empty selector is invalid for daemonset', required: false } as const
  checkWorkloadSelector(errors, spec.selector, spec.template, texts, path)
  const template = path.child('template')
  checkPodTemplate(errors, spec.template, context, template)
  checkAlwaysRestarts(errors, spec.template, template.child('spec'), 'DaemonSet')
  checkNonNegative(errors, spec.minReadySeconds, path.child('minReadySeconds'))
  checkUpdateStrategy(errors, spec.updateStrategy ?? {}, path.child('updateStrategy'))
  checkNonNegative(errors, spec.revisionHistoryLimit, path.child('revisionHistoryLimit'))
  return errors
}

function checkUpdateStrategy(errors: FieldError[], strategy: apps.DaemonSetUpdateStrategy, at: FieldPath): void {
  const { type, rollingUpdate } = strategy
  if (type === 'OnDelete') return
  if (type !== 'RollingUpdate') {
    const rolling = rollingUpdate
      ? { MaxUnavailable: rollingUpdate.maxUnavailable, MaxSurge: rollingUpdate.maxSurge }
      : null
    errors.push(
      fieldErrors.notSupported(at, { Type: type ?? '', RollingUpdate: rolling }, ['RollingUpdate', 'OnDelete']),
    )
    return
  }
  if (!rollingUpdate) {
    errors.push(fieldErrors.required(at.child('rollingUpdate')))
    return
  }
  const { maxUnavailable, maxSurge } = rollingUpdate
  const unavailable = at.child('rollingUpdate').child('maxUnavailable')
  const surge = at.child('rollingUpdate').child('maxSurge')
  checkIntOrPercent(errors, maxUnavailable, unavailable)
  checkIntOrPercent(errors, maxSurge, surge)
  if (!isZero(maxUnavailable) && !isZero(maxSurge))
    errors.push(fieldErrors.invalid(surge, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  else if (isZero(maxUnavailable) && isZero(maxSurge))
    errors.push(fieldErrors.required(unavailable, 'cannot be 0 when maxSurge is 0'))
  checkNotAboveAll(errors, maxUnavailable, unavailable)
  checkNotAboveAll(errors, maxSurge, surge)
}

function validateUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  return [...checkSelectorKept(specOf(object).selector, specOf(old).selector, path), ...validate(object, context)]
}

const templateGenerationOf = ({ metadata }: ApiObject): number =>
  Number(metadata.annotations?.[templateGeneration] ?? 1)

function setTemplateGeneration(object: ApiObject, generation: number): void {
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) }
}

const counts = [
  'currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'observedGeneration',
  'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount',
] as const // biome-ignore format: a list of names

function validateStatus(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const status = FieldPath.root('status')
  for (const name of counts) checkNonNegative(errors, statusOf(object)[name], status.child(name))
  const collisions = statusOf(old).collisionCount
  if (collisions !== undefined && (statusOf(object).collisionCount ?? 0) < collisions)
    errors.push(
      fieldErrors.invalid(status.child('collisionCount'), statusOf(object).collisionCount, 'cannot be decremented'),
    )
  return errors
}

const status = statusStrategy(validateStatus)

export const daemonSet: KindDefinition = {
  group: 'apps',
  kind: 'DaemonSet',
  defaultsMetadata: true,
  convert: { v1beta1: { toHub: daemonSetFromV1beta1 }, 'extensions/v1beta1': { toHub: daemonSetFromV1beta1 } },
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: {
    ...specStrategy({
      generation: true,
      warnings: (object, context) => podWarnings(specOf(object).template, context, 'spec.template.'),
      validate,
      prepareForCreate: (object) => setTemplateGeneration(object, 1),
      prepareForUpdate(object, old) {
        const before = templateGenerationOf(old)
        const changed = !semanticEqual(specOf(object).template, specOf(old).template)
        setTemplateGeneration(object, changed ? before + 1 : before)
      },
    }),
    validateUpdate,
  },
  subresources: {
    status: {
      ...status,
      // The annotation replaces a field of the spec, and is kept like one.
      prepareForUpdate(object, old, context) {
        status.prepareForUpdate?.(object, old, context)
        setTemplateGeneration(object, templateGenerationOf(old))
      },
    },
  },
  columns: [
    nameColumn,
    countColumn('Desired', 'Nodes that should run a pod.', (object) => statusOf(object).desiredNumberScheduled),
    countColumn('Current', 'Nodes that run a pod, and should.', (object) => statusOf(object).currentNumberScheduled),
    countColumn('Ready', 'Nodes whose pod is ready.', (object) => statusOf(object).numberReady),
    countColumn(
      'Up-to-date',
      'Nodes whose pod is of the newest template.',
      (object) => statusOf(object).updatedNumberScheduled,
    ),
    countColumn(
      'Available',
      'Nodes whose pod has been ready long enough.',
      (object) => statusOf(object).numberAvailable,
    ),
    textColumn('Node Selector', 'Labels of nodes that should run a pod.', (object) =>
      formatLabels(specOf(object).template?.spec?.nodeSelector),
    ),
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
    selectorColumn((object) => specOf(object).selector),
  ],
}
