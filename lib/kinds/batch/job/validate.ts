import type * as batch from '../../../../api/gen/batch/v1.ts'
import {
  type ApiObject,
  copyObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  labelSelectorFromObject,
  validateDns1123Label,
  validateDomainPrefixedPath,
} from '../../../object/index.ts'
import { checkFormat, checkNonNegative, checkPresent, checkSupported } from '../../check.ts'
import { checkPodTemplate } from '../../core/podspec/template.ts'
import type { KindContext } from '../../definition.ts'
import { checkLabelSelector, isReadableSelector } from '../../meta/labelselector.ts'
import { withGoNames } from './gonames.ts'
import { checkPodFailurePolicy, checkSuccessPolicy } from './policies.ts'

export const jobLabels = {
  controllerUid: 'batch.kubernetes.io/controller-uid',
  jobName: 'batch.kubernetes.io/job-name',
  legacyControllerUid: 'controller-uid',
  legacyJobName: 'job-name',
} as const

const specPath = FieldPath.root('spec')
const parallelismMax = 100_000
const failedIndexesMax = 100_000
const manyCompletions = 100_000
const managedByBytesMax = 63

export const specOf = (object: ApiObject): batch.JobSpec => object['spec'] as batch.JobSpec
export const statusOf = (object: ApiObject): batch.JobStatus => (object['status'] ?? {}) as batch.JobStatus

export function validateJob(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkGeneratedSelector(errors, object, spec)
  checkJobSpec(errors, spec, context, specPath)
  const { selector, template } = spec
  if (!selector) errors.push(fieldErrors.required(specPath.child('selector')))
  else checkLabelSelector(errors, selector, specPath.child('selector'))
  // An invalid selector gets no second error.
  const isWrong = selector !== undefined && !isReadableSelector(selector)
  if (!isWrong && !labelSelectorFromObject(selector).matches(template.metadata.labels)) {
    const at = specPath.child('template').child('metadata').child('labels')
    errors.push(fieldErrors.invalid(at, template.metadata.labels, '`selector` does not match template `labels`'))
  }
  if (spec.completionMode === 'Indexed' && (spec.completions ?? 0) > 0)
    checkPodNames(errors, object, spec.completions ?? 0)
  return errors
}

/** The hostnames of an indexed job's pods are its name and their index. */
function checkPodNames(errors: FieldError[], object: ApiObject, completions: number): void {
  const last = `${object.metadata.name}-${completions - 1}`
  if (validateDns1123Label(last).length > 0) {
    const why = `will not able to create pod with invalid DNS label: ${last}`
    errors.push(fieldErrors.invalid('metadata.name', object.metadata.name, why))
  }
}

/** A job without its own selector selects pods by its uid alone. */
function checkGeneratedSelector(errors: FieldError[], object: ApiObject, spec: batch.JobSpec): void {
  // Reported by other checks.
  if (spec.manualSelector === true || !spec.selector) return
  const { uid = '', name = '' } = object.metadata
  const labels = spec.template.metadata.labels ?? {}
  const at = specPath.child('template').child('metadata').child('labels')
  const expected = [
    [jobLabels.legacyControllerUid, uid],
    [jobLabels.legacyJobName, name],
    [jobLabels.controllerUid, uid],
    [jobLabels.jobName, name],
  ] as const
  for (const [key, value] of expected) {
    if (labels[key] === undefined) errors.push(fieldErrors.required(at.key(key), `must be '${value}'`))
    else if (labels[key] !== value) errors.push(fieldErrors.invalid(at.key(key), labels, `must be '${value}'`))
  }
  const selected = spec.selector.matchLabels ?? {}
  const generated = deepEqual(spec.selector, { matchLabels: { [jobLabels.controllerUid]: uid } })
  const legacy = deepEqual(spec.selector, { matchLabels: { [jobLabels.legacyControllerUid]: uid } })
  if (!generated && !legacy && Object.keys(selected).length > 0)
    errors.push(fieldErrors.invalid(specPath.child('selector'), spec.selector, '`selector` not auto-generated'))
}

/** The rules of a job's spec, in a job or in a cron job's template. */
export function checkJobSpec(errors: FieldError[], spec: batch.JobSpec, context: KindContext, path: FieldPath): void {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const)
    checkNonNegative(errors, spec[name], path.child(name))
  if (spec.maxFailedIndexes !== undefined) checkFailedIndexes(errors, spec, path)
  if (spec.managedBy !== undefined) checkManagedBy(errors, spec.managedBy, path.child('managedBy'))
  checkCompletionMode(errors, spec, path)
  checkPodFailurePolicy(errors, spec, path)
  checkSuccessPolicy(errors, spec, path)
  if (spec.podReplacementPolicy !== undefined) {
    const supported = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
    checkSupported(errors, spec.podReplacementPolicy, path.child('podReplacementPolicy'), supported)
  }
  checkPodTemplate(errors, spec.template, context, path.child('template'))
  checkRestartPolicy(errors, spec, path.child('template').child('spec').child('restartPolicy'))
}

function checkManagedBy(errors: FieldError[], value: string, path: FieldPath): void {
  if (!checkPresent(errors, value, path)) return
  checkFormat(errors, value, path, validateDomainPrefixedPath)
  if (Buffer.byteLength(value) > managedByBytesMax) errors.push(fieldErrors.tooLong(path, managedByBytesMax))
}

function checkFailedIndexes(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  const at = path.child('maxFailedIndexes')
  const failed = spec.maxFailedIndexes ?? 0
  if (spec.backoffLimitPerIndex === undefined)
    errors.push(fieldErrors.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'))
  if (spec.completions !== undefined && failed > spec.completions)
    errors.push(fieldErrors.invalid(at, failed, 'must be less than or equal to completions'))
  if (failed > failedIndexesMax)
    errors.push(fieldErrors.invalid(at, failed, `must be less than or equal to ${failedIndexesMax}`))
}

function checkCompletionMode(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  const mode = spec.completionMode
  if (mode !== undefined) {
    checkSupported(errors, mode, path.child('completionMode'), ['NonIndexed', 'Indexed'])
    if (mode === 'Indexed') checkIndexed(errors, spec, path)
  }
  if (mode !== 'NonIndexed' && mode !== undefined) return
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    if (spec[name] !== undefined)
      errors.push(fieldErrors.invalid(path.child(name), spec[name], 'requires indexed completion mode'))
}

function checkIndexed(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  if (spec.completions === undefined)
    errors.push(fieldErrors.required(path.child('completions'), 'when completion mode is Indexed'))
  const parallelism = spec.parallelism ?? 0
  if (parallelism > parallelismMax) {
    const why = `must be less than or equal to ${parallelismMax} when completion mode is Indexed`
    errors.push(fieldErrors.invalid(path.child('parallelism'), parallelism, why))
  }
  if ((spec.completions ?? 0) <= manyCompletions || spec.backoffLimitPerIndex === undefined) return
  const limit = 10_000
  const when = 'when completions are above 100000 and used with backoff limit per index'
  if (spec.maxFailedIndexes === undefined)
    errors.push(
      fieldErrors.required(
        path.child('maxFailedIndexes'),
        `must be specified when completions is above ${manyCompletions}`,
      ),
    )
  else if (spec.maxFailedIndexes > limit)
    errors.push(
      fieldErrors.invalid(
        path.child('maxFailedIndexes'),
        spec.maxFailedIndexes,
        `must be less than or equal to ${limit} ${when}`,
      ),
    )
  if (parallelism > limit)
    errors.push(
      fieldErrors.invalid(path.child('parallelism'), parallelism, `must be less than or equal to ${limit} ${when}`),
    )
}

function checkRestartPolicy(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  const policy = spec.template.spec.restartPolicy ?? ''
  // The template's default would be Always, which a job can't have: it counts as unset.
  if (policy === '' || policy === 'Always')
    errors.push(fieldErrors.required(path, 'valid values: "OnFailure", "Never"'))
  else checkSupported(errors, policy, path, ['OnFailure', 'Never'])
  if (spec.podFailurePolicy && policy === 'OnFailure')
    errors.push(fieldErrors.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'))
}

const immutableFields = [
  'selector',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const

export function validateJobUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const before = specOf(old)
  checkCompletionsUpdate(errors, spec, before)
  for (const name of immutableFields)
    if (!deepEqual(spec[name], before[name]))
      errors.push(fieldErrors.immutable(specPath.child(name), withGoNames(spec[name], name)))
  const now = hasNoPods(old) ? withOpenFields(spec, before) : spec.template.spec
  if (!deepEqual(now, before.template.spec)) {
    const at = specPath.child('template').child('spec')
    errors.push(fieldErrors.immutable(at, withGoNames(spec.template.spec, 'template', 'spec')))
  }
  return errors
}

/** In an indexed job, completions can change together with parallelism. */
function checkCompletionsUpdate(errors: FieldError[], spec: batch.JobSpec, before: batch.JobSpec): void {
  const at = specPath.child('completions')
  if (spec.completions === before.completions) return
  const isIndexed =
    spec.completionMode === 'Indexed' && spec.completions !== undefined && before.completions !== undefined
  if (!isIndexed) errors.push(fieldErrors.immutable(at, spec.completions))
  else if (spec.completions !== spec.parallelism)
    errors.push(fieldErrors.invalid(at, spec.completions, 'can only be modified in tandem with spec.parallelism'))
}

/** It is suspended, and has not started or has stopped: it has no pods that could differ from its template. */
function hasNoPods(job: ApiObject): boolean {
  const { startTime, active = 0, conditions = [] } = statusOf(job)
  const isAtRest = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True')
  return specOf(job).suspend === true && active === 0 && (startTime === undefined || isAtRest)
}

/**
 * The spec with the fields restored that may change in such a job: where its pods may run (KEP-2926) and their
 * resources (KEP-5440).
 */
function withOpenFields(spec: batch.JobSpec, before: batch.JobSpec): unknown {
  const pod = copyObject(spec.template.spec)
  const was = before.template.spec
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) replace(pod, name, was[name])
  const affinity = { ...pod.affinity }
  replace(affinity, 'nodeAffinity', was.affinity?.nodeAffinity)
  if (was.affinity === undefined && Object.keys(affinity).length === 0) delete pod.affinity
  else pod.affinity = affinity
  for (const list of ['containers', 'initContainers'] as const)
    for (const [index, container] of (pod[list] ?? []).entries()) {
      const known = was[list]?.[index]
      if (known?.name === container.name) replace(container, 'resources', known.resources)
    }
  return pod
}

function replace<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key]
  else target[key] = value
}
