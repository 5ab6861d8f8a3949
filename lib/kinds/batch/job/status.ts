import type * as batch from '../../../../api/gen/batch/v1.ts'
import { type ApiObject, deepEqual, type FieldError, FieldPath, fieldErrors, parseTime } from '../../../object/index.ts'
import { checkNonNegative, checkUnique } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { type Interval, parseIndexes } from './policies.ts'
import { specOf, statusOf } from './validate.ts'

const path = FieldPath.root('status')
const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const

/**
 * Anyone may run the job controller, so the guarantees for clients are checked here: a finished job doesn't change.
 * Unchanged fields are not checked, so that other fields of an invalid status can still be updated.
 */
export function validateJobStatus(object: ApiObject, old: ApiObject, { gate }: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const update: StatusUpdate = {
    errors,
    spec: specOf(object),
    status: statusOf(object),
    before: statusOf(old),
    now: conditionsOf(object),
    was: conditionsOf(old),
  }
  for (const name of counts) checkNonNegative(errors, update.status[name], path.child(name))
  checkUncounted(errors, update.status.uncountedTerminatedPods ?? {})
  const strict = gate('JobManagedBy')
  if (strict) {
    checkEnd(update)
    checkIndexes(update)
  }
  checkSuccess(update)
  if (strict) checkProgress(update)
  checkSuccessKept(update)
  return errors
}

interface StatusUpdate {
  readonly errors: FieldError[]
  readonly spec: batch.JobSpec
  readonly status: batch.JobStatus
  readonly before: batch.JobStatus
  /** Types of true conditions. */
  readonly now: ReadonlySet<string>
  readonly was: ReadonlySet<string>
}

function conditionsOf(object: ApiObject): ReadonlySet<string> {
  const holding = statusOf(object).conditions?.filter(({ status }) => status === 'True') ?? []
  return new Set(holding.map(({ type }) => type))
}

function checkUncounted(errors: FieldError[], pods: batch.UncountedTerminatedPods): void {
  const seen = new Set<string>()
  for (const name of ['succeeded', 'failed'] as const)
    pods[name]?.forEach((uid, index) => {
      const at = path.child('uncountedTerminatedPods').child(name).index(index)
      if (uid === '') errors.push(fieldErrors.invalid(at, uid, 'must not be empty'))
      else checkUnique(errors, seen, uid, at)
    })
}

function isFinished(conditions: ReadonlySet<string>): boolean {
  return conditions.has('Complete') || conditions.has('Failed')
}

/** Fields that a finished job must have, and must not have. */
function checkEnd({ errors, status, before, now, was }: StatusUpdate): void {
  const turned = (...types: string[]): boolean => types.some((type) => now.has(type) !== was.has(type))
  const changed = (...names: (keyof batch.JobStatus)[]): boolean =>
    names.some((name) => !deepEqual(status[name], before[name]))
  const complete = now.has('Complete')
  const together = (why: string): void => void errors.push(fieldErrors.invalidBare(path.child('conditions'), why))
  if (turned('Complete', 'Failed') && complete && now.has('Failed'))
    together('cannot set Complete=True and Failed=true conditions')
  if (turned('Complete', 'FailureTarget') && complete && now.has('FailureTarget'))
    together('cannot set Complete=True and FailureTarget=true conditions')
  const {
    startTime,
    completionTime,
    uncountedTerminatedPods: uncounted,
    active = 0,
    terminating = 0,
    ready = 0,
  } = status
  const completion = path.child('completionTime')
  if (turned('Complete') || changed('completionTime')) {
    if (completionTime && !complete) {
      const why = 'cannot set completionTime when there is no Complete=True condition'
      errors.push(fieldErrors.invalid(completion, completionTime, why))
    }
    if (!completionTime && complete)
      errors.push(fieldErrors.required(completion, 'completionTime is required for Complete jobs'))
  }
  if (changed('startTime', 'completionTime') && startTime && completionTime)
    if (parseTime(completionTime) < parseTime(startTime))
      errors.push(fieldErrors.invalid(completion, completionTime, 'must be equal to or after `startTime`'))
  if (turned('Failed', 'FailureTarget') && now.has('Failed') && !now.has('FailureTarget'))
    together('cannot set Failed=True condition without the FailureTarget=true condition')
  if (turned('Complete', 'SuccessCriteriaMet') && complete && !now.has('SuccessCriteriaMet'))
    together('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')
  const ends = isFinished(now) !== isFinished(was)
  const isOver = (...names: (keyof batch.JobStatus)[]): boolean => isFinished(now) && (ends || changed(...names))
  if (isOver('active') && active > 0)
    errors.push(fieldErrors.invalid(path.child('active'), active, 'active>0 is invalid for finished job'))
  if (isOver('startTime') && !startTime)
    errors.push(fieldErrors.required(path.child('startTime'), 'startTime is required for finished job'))
  if (isOver('uncountedTerminatedPods') && (uncounted?.succeeded?.length || uncounted?.failed?.length)) {
    const at = path.child('uncountedTerminatedPods')
    errors.push(fieldErrors.invalid(at, uncounted, 'must be empty for finished job'))
  }
  if (isOver('terminating') && terminating > 0)
    errors.push(
      fieldErrors.invalid(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job'),
    )
  if (changed('ready', 'active') && ready > active)
    errors.push(fieldErrors.invalid(path.child('ready'), ready, 'cannot set more ready pods than active'))
}

/** Lists of indexes must be valid, and an index can't have both succeeded and failed. */
function checkIndexes({ errors, spec, status, before }: StatusUpdate): void {
  const { completedIndexes = '', failedIndexes } = status
  const completions = spec.completions
  const completed = completedIndexes !== (before.completedIndexes ?? '')
  const failed = failedIndexes !== before.failedIndexes
  const [completedPath, failedPath] = [path.child('completedIndexes'), path.child('failedIndexes')]
  const parse = (text: string): ReturnType<typeof parseIndexes> => parseIndexes(text, completions ?? 0)
  const check = (name: string, text: string, at: FieldPath): void => {
    const parsed = parse(text)
    if ('error' in parsed) errors.push(fieldErrors.invalid(at, text, `error parsing ${name}: ${parsed.error}`))
  }
  if (completed && completions !== undefined) check('completedIndexes', completedIndexes, completedPath)
  if (failed && completions !== undefined && spec.backoffLimitPerIndex !== undefined && failedIndexes !== undefined)
    check('failedIndexes', failedIndexes, failedPath)
  if (completed && completedIndexes !== '' && spec.completionMode !== 'Indexed') {
    const why = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    errors.push(fieldErrors.invalid(completedPath, completedIndexes, why))
  }
  if (failed && failedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    errors.push(fieldErrors.invalid(failedPath, failedIndexes, why))
  }
  if ((!completed && !failed) || completions === undefined || failedIndexes === undefined) return
  const [left, right] = [parse(completedIndexes), parse(failedIndexes)]
  // Invalid intervals have been reported already.
  const both = 'error' in left || 'error' in right ? undefined : firstCommon(left.intervals, right.intervals)
  if (both !== undefined)
    errors.push(
      fieldErrors.invalid(failedPath, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${both}`),
    )
}

/** Both are in ascending order. */
function firstCommon(left: readonly Interval[], right: readonly Interval[]): number | undefined {
  for (let a = 0, b = 0; ; ) {
    const [one, other] = [left[a], right[b]]
    if (!one || !other) return undefined
    const first = Math.max(one[0], other[0])
    if (first <= Math.min(one[1], other[1])) return first
    if (one[1] < other[1]) a++
    else b++
  }
}

function checkSuccess({ errors, spec, now }: StatusUpdate): void {
  const together = (why: string): void => void errors.push(fieldErrors.invalidBare(path.child('conditions'), why))
  const met = now.has('SuccessCriteriaMet')
  if (met && now.has('Failed')) together('cannot set SuccessCriteriaMet=True and Failed=true conditions')
  if (met && now.has('FailureTarget')) together('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')
  if (spec.successPolicy && !met && now.has('Complete'))
    together('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
}

/** Progress must not be undone. */
function checkProgress({ errors, spec, status, before, now, was }: StatusUpdate): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (was.has(type) && !now.has(type))
      errors.push(
        fieldErrors.invalidBare(path.child('conditions'), `cannot disable the terminal ${type}=True condition`),
      )
  // An elastic job can drop indexes, and their results with them.
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism
  for (const name of ['failed', 'succeeded'] as const) {
    const [is, were] = [status[name] ?? 0, before[name] ?? 0]
    if (is < were && !(name === 'succeeded' && isElastic))
      errors.push(fieldErrors.invalid(path.child(name), is, `cannot decrease the ${name} counter`))
  }
  const { startTime, completionTime } = status
  if (completionTime && before.completionTime && completionTime !== before.completionTime)
    errors.push(fieldErrors.immutable(path.child('completionTime'), completionTime))
  // A job starts again when it is resumed.
  const isSuspended = spec.suspend === true || was.has('Suspended')
  if (before.startTime && startTime !== before.startTime && !isSuspended) {
    const why = 'field is immutable for unsuspended job once set'
    errors.push(fieldErrors.invalid(path.child('startTime'), startTime, why))
  }
}

function checkSuccessKept({ errors, now, was }: StatusUpdate): void {
  const at = path.child('conditions')
  const [met, wasMet] = [now, was].map((conditions) => conditions.has('SuccessCriteriaMet'))
  if (wasMet && !met) errors.push(fieldErrors.invalidBare(at, 'cannot disable the SuccessCriteriaMet=True condition'))
  if (was.has('Complete') && !wasMet && met) {
    const why = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'
    errors.push(fieldErrors.invalidBare(at, why))
  }
}
