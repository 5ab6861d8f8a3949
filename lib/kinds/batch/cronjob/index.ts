import type * as batch from '../../../../api/gen/batch/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkNonNegative, checkRequiredChoice } from '../../check.ts'
import { defaultPodSpec } from '../../core/podspec/defaults.ts'
import { selectorColumn, templateColumns } from '../../core/podspec/template.ts'
import { hostnameWarnings, podWarnings } from '../../core/podspec/warnings.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { age, ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { defaultFailureConditions } from '../job/index.ts'
import { checkJobSpec } from '../job/validate.ts'
import { jobSpecWarnings } from '../job/warnings.ts'
import { scheduleError } from './schedule.ts'

const path = FieldPath.root('spec')
/** The name of a job is its cron job's plus eleven characters for the time. */
const nameCharactersMax = 52
const specOf = (object: ApiObject): batch.CronJobSpec => object['spec'] as batch.CronJobSpec
const statusOf = (object: ApiObject): batch.CronJobStatus => (object['status'] ?? {}) as batch.CronJobStatus

function defaults(object: ApiObject): void {
  const spec = specOf(object)
  spec.concurrencyPolicy ||= 'Allow'
  spec.suspend ??= false
  spec.successfulJobsHistoryLimit ??= 3
  spec.failedJobsHistoryLimit ??= 1
  defaultFailureConditions(spec.jobTemplate.spec)
  defaultPodSpec(spec.jobTemplate.spec.template.spec)
}

function validate(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkSchedule(errors, spec)
  checkNonNegative(errors, spec.startingDeadlineSeconds, path.child('startingDeadlineSeconds'))
  checkRequiredChoice(errors, spec.concurrencyPolicy, path.child('concurrencyPolicy'), ['Allow', 'Forbid', 'Replace'])
  const jobSpec = spec.jobTemplate.spec
  const at = path.child('jobTemplate').child('spec')
  checkJobSpec(errors, jobSpec, context, at)
  if (jobSpec.manualSelector === true)
    errors.push(fieldErrors.notSupported(at.child('manualSelector'), true, ['nil', 'false']))
  if (jobSpec.selector)
    errors.push(fieldErrors.invalid(at.child('selector'), jobSpec.selector, '`selector` will be auto-generated'))
  checkNonNegative(errors, spec.successfulJobsHistoryLimit, path.child('successfulJobsHistoryLimit'))
  checkNonNegative(errors, spec.failedJobsHistoryLimit, path.child('failedJobsHistoryLimit'))
  return errors
}

function validateCreate(object: ApiObject, context: KindContext): FieldError[] {
  const errors = validate(object, context)
  const { name = '' } = object.metadata
  if (name.length > nameCharactersMax)
    errors.push(fieldErrors.invalid('metadata.name', name, `must be no more than ${nameCharactersMax} characters`))
  return errors
}

function checkSchedule(errors: FieldError[], spec: batch.CronJobSpec): void {
  const at = path.child('schedule')
  if (!spec.schedule) errors.push(fieldErrors.required(at))
  else if (/^(TZ|CRON_TZ)=/.test(spec.schedule.trim())) {
    const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    errors.push(fieldErrors.invalid(at, spec.schedule, why))
  } else {
    const error = scheduleError(spec.schedule)
    if (error) errors.push(fieldErrors.invalid(at, spec.schedule, error))
  }
  if (spec.timeZone !== undefined) checkTimeZone(errors, spec.timeZone, path.child('timeZone'))
}

function checkTimeZone(errors: FieldError[], zone: string, at: FieldPath): void {
  if (zone === '') errors.push(fieldErrors.invalid(at, zone, 'timeZone must be nil or non-empty string'))
  else if (zone.toLowerCase() === 'local')
    errors.push(
      fieldErrors.invalid(
        at,
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    )
  else if (!isTimeZone(zone)) errors.push(fieldErrors.invalid(at, zone, `unknown time zone ${zone}`))
}

function isTimeZone(zone: string): boolean {
  try {
    // The runtime accepts offsets such as +01:00 as zones, but they have no name in the database.
    if (!/^[A-Za-z]/.test(zone)) return false
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
    // The runtime ignores case. Controllers that read files by the zone's name don't.
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase()
  } catch {
    return false
  }
}

function suspended(object: ApiObject): string {
  const { suspend } = specOf(object)
  return suspend === undefined ? '<unset>' : suspend ? 'True' : 'False'
}

const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'

const strategy = specStrategy({
  generation: true,
  validate,
  warnings: (object, context) => {
    const { jobTemplate } = specOf(object)
    return [
      ...hostnameWarnings(object.metadata.name),
      ...jobSpecWarnings('spec.jobTemplate.spec', jobTemplate.spec),
      ...podWarnings(jobTemplate.spec?.template ?? {}, context, 'spec.jobTemplate.spec.template.'),
    ]
  },
})

export const cronJob: KindDefinition = {
  group: 'batch',
  kind: 'CronJob',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  strategy: {
    ...strategy,
    validateCreate,
    warningsOnUpdate: (object, old, context) => [
      ...(strategy.warningsOnUpdate?.(object, old, context) ?? []),
      // New cron jobs must not have one; existing ones may keep theirs.
      ...(specOf(object).schedule.includes('TZ') ? [zoneInSchedule] : []),
    ],
  },
  subresources: { status: statusStrategy() },
  columns: [
    nameColumn,
    textColumn('Schedule', 'When jobs are made, in cron format.', (object) => specOf(object).schedule),
    textColumn('Timezone', 'Time zone of the schedule.', (object) => specOf(object).timeZone || '<none>'),
    { ...textColumn('Suspend', 'Whether no more jobs are made.', suspended), type: 'boolean' },
    countColumn('Active', 'Jobs that run now.', (object) => statusOf(object).active?.length),
    textColumn('Last Schedule', 'Time since a job was made.', (object, { nowMs }) => {
      const { lastScheduleTime } = statusOf(object)
      return lastScheduleTime ? age(lastScheduleTime, nowMs) : '<none>'
    }),
    ageColumn,
    ...templateColumns((object) => specOf(object).jobTemplate.spec.template),
    selectorColumn((object) => specOf(object).jobTemplate.spec.selector),
  ],
}
