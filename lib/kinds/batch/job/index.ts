import type * as batch from '../../../../api/gen/batch/v1.ts'
import { type ApiObject, humanDuration, parseTime } from '../../../object/index.ts'
import { defaultPodSpec } from '../../core/podspec/defaults.ts'
import { selectorColumn, templateColumns } from '../../core/podspec/template.ts'
import { hostnameWarnings, podWarnings } from '../../core/podspec/warnings.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { validateJobStatus } from './status.ts'
import { jobLabels, specOf, statusOf, validateJob, validateJobUpdate } from './validate.ts'
import { jobSpecWarnings } from './warnings.ts'

const int32Max = 2 ** 31 - 1

function defaults(object: ApiObject): void {
  const spec = specOf(object)
  if (spec.completions === undefined && spec.parallelism === undefined) {
    spec.completions = 1
    spec.parallelism = 1
  }
  spec.parallelism ??= 1
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : int32Max
  labelAsPods(object)
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
  spec.manualSelector ??= false
  defaultFailureConditions(spec)
  defaultPodSpec(spec.template.spec)
}

/** A job without labels gets those of its pods. */
function labelAsPods(object: ApiObject): void {
  const { labels } = specOf(object).template.metadata
  if (labels && Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels }
}

export function defaultFailureConditions(spec: batch.JobSpec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True'
}

/** A job without its own selector gets one by its uid, and its pods the labels to match. */
function selectByUid(object: ApiObject): void {
  const spec = specOf(object)
  if (spec.manualSelector === true) return
  const { uid = '', name = '' } = object.metadata
  // Labels from the client stay, so that validation refuses them: a copy of another job would otherwise select that
  // one's pods.
  spec.template.metadata.labels = {
    [jobLabels.legacyControllerUid]: uid,
    [jobLabels.controllerUid]: uid,
    [jobLabels.legacyJobName]: name,
    [jobLabels.jobName]: name,
    ...spec.template.metadata.labels,
  }
  spec.selector ??= {}
  spec.selector.matchLabels = { [jobLabels.controllerUid]: uid, ...spec.selector.matchLabels }
}

function describe(object: ApiObject): string {
  const isTrue = (wanted: string): boolean =>
    statusOf(object).conditions?.some(({ type, status }) => type === wanted && status === 'True') === true
  const ended = ['Complete', 'Failed'].find(isTrue)
  if (ended) return ended
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running'
}

function completions(object: ApiObject): string {
  const { completions: wanted, parallelism = 0 } = specOf(object)
  const done = statusOf(object).succeeded ?? 0
  if (wanted !== undefined) return `${done}/${wanted}`
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`
}

function duration(object: ApiObject, { nowMs }: { nowMs: number }): string {
  const { startTime, completionTime } = statusOf(object)
  if (!startTime) return ''
  return humanDuration((completionTime ? parseTime(completionTime) : nowMs) - parseTime(startTime))
}

export const job: KindDefinition = {
  group: 'batch',
  kind: 'Job',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: {
    ...specStrategy({
      generation: true,
      warnings: (object, context) => [
        ...hostnameWarnings(object.metadata.name),
        ...jobSpecWarnings('spec', specOf(object)),
        ...podWarnings(specOf(object).template, context, 'spec.template.'),
      ],
      validate: validateJob,
      validateUpdate: validateJobUpdate,
      prepareForCreate: selectByUid,
    }),
    // Adds the labels that decoding adds as defaults.
    canonicalize: labelAsPods,
  },
  subresources: { status: statusStrategy(validateJobStatus) },
  columns: [
    nameColumn,
    textColumn('Status', 'What the job has come to.', describe),
    textColumn('Completions', 'Pods that succeeded, of those wanted.', completions),
    textColumn('Duration', 'Time that the job has run or ran.', duration),
    ageColumn,
    ...templateColumns((object) => specOf(object).template),
    selectorColumn((object) => specOf(object).selector),
  ],
  selectableReads: ['status.succeeded'],
  selectableFields: { 'status.successful': (object) => String(statusOf(object).succeeded ?? 0) },
  unknownFieldLabel: (label) => `field label "${label}" not supported for Job`,
}
