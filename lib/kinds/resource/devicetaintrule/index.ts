import type * as resource from '../../../../api/gen/resource.k8s.io/v1alpha3.ts'
import {
  type ApiObject,
  copyObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatTime,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { age, ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { checkDriver, checkPoolName } from '../names.ts'
import { checkSelectors } from '../selectors.ts'
import { checkTaint } from '../taints.ts'

const path = FieldPath.root('spec')
const conditionsMax = 8
const specOf = (object: ApiObject): resource.DeviceTaintRuleSpec => object['spec'] as resource.DeviceTaintRuleSpec
const statusOf = (object: ApiObject): resource.DeviceTaintRuleStatus =>
  (object['status'] ?? {}) as resource.DeviceTaintRuleStatus

/** Stored expressions are not checked again. */
function knownOf(old: ApiObject | undefined): Set<string> {
  return new Set(old && specOf(old).deviceSelector?.selectors?.flatMap(({ cel }) => cel?.expression ?? []))
}

function validate(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const { deviceSelector, taint } = specOf(object)
  const at = path.child('deviceSelector')
  if (deviceSelector?.deviceClassName !== undefined)
    checkFormat(errors, deviceSelector.deviceClassName, at.child('deviceClassName'), validateDns1123Subdomain)
  if (deviceSelector?.driver !== undefined) checkDriver(errors, deviceSelector.driver, at.child('driver'))
  if (deviceSelector?.pool !== undefined) checkPoolName(errors, deviceSelector.pool, at.child('pool'))
  if (deviceSelector?.device !== undefined)
    checkFormat(errors, deviceSelector.device, at.child('device'), validateDns1123Label)
  checkSelectors(errors, deviceSelector?.selectors, at.child('selectors'), context, knownOf(old))
  checkTaint(errors, taint, path.child('taint'))
  return errors
}

function validateStatus(object: ApiObject): FieldError[] {
  const count = statusOf(object).conditions?.length ?? 0
  return count > conditionsMax ? [fieldErrors.tooMany('status.conditions', count, conditionsMax)] : []
}

/** A taint has the time at which it was set, or last replaced. */
function stamp(object: ApiObject, { clock }: KindContext): void {
  specOf(object).taint.timeAdded ??= formatTime(clock.now())
}

/** Tolerations count from the time of a taint: the old time only stays when the client sets it again. */
function restamp(object: ApiObject, old: ApiObject, context: KindContext): void {
  const [now, before] = [specOf(object).taint, specOf(old).taint]
  if (now.effect !== before.effect && now.timeAdded === before.timeAdded) delete now.timeAdded
  stamp(object, context)
}

export const deviceTaintRule: KindDefinition = {
  group: 'resource.k8s.io',
  kind: 'DeviceTaintRule',
  nameRule: nameRules.subdomain,
  strategy: {
    ...specStrategy({
      generation: true,
      validate: (object, context) => validate(object, undefined, context),
      prepareForCreate: stamp,
      prepareForUpdate: restamp,
    }),
    validateUpdate: validate,
  },
  convert: {
    v1beta2: {
      fromHub(object) {
        const result = copyObject(object)
        const spec = specOf(result)
        const { deviceClassName, selectors = [] } = spec.deviceSelector ?? {}
        // Without its restrictions, a selector would select more devices; an absent one selects no device.
        if (deviceClassName !== undefined || selectors.length > 0) delete spec.deviceSelector
        return result
      },
      toHub: copyObject,
    },
  },
  subresources: { status: statusStrategy(validateStatus, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('Key', 'Key of the taint.', (object) => specOf(object).taint.key),
    textColumn('Value', 'Value of the taint.', (object) => specOf(object).taint.value ?? ''),
    textColumn('Effect', 'What the taint does.', (object) => specOf(object).taint.effect),
    textColumn('TimeAdded', 'Time since it was added.', (object, { nowMs }) => {
      const { timeAdded } = specOf(object).taint
      return timeAdded === undefined ? '' : age(timeAdded, nowMs)
    }),
    ageColumn,
  ],
}
