import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkSupported } from '../../check.ts'

const rulesMax = 20
const exitCodesMax = 255

type Restarts = Pick<core.Container, 'restartPolicy' | 'restartPolicyRules'>

/** Gates that decide which restarts a container may ask for. */
interface RestartGates {
  readonly rules: boolean
  readonly allContainers: boolean
}

export function restartGatesOf(gate: (name: string) => boolean): RestartGates {
  return { rules: gate('ContainerRestartRules'), allContainers: gate('RestartAllContainersOnContainerExits') }
}

/** A regular container: its own policy comes before the pod's, where the gate is on. */
export function checkRestarts(errors: FieldError[], container: Restarts, gates: RestartGates, path: FieldPath): void {
  const { restartPolicy, restartPolicyRules } = container
  if (gates.rules || restartPolicyRules?.length) checkPolicyAndRules(errors, container, gates, path)
  else if (restartPolicy !== undefined)
    errors.push(fieldErrors.forbidden(path.child('restartPolicy'), 'may not be set for non-init containers'))
}

/** An init container that is restarted always is a sidecar, which has no rules. */
export function checkInitRestarts(
  errors: FieldError[],
  container: Restarts,
  gates: RestartGates,
  path: FieldPath,
): void {
  const { restartPolicy, restartPolicyRules } = container
  if (!gates.rules && !restartPolicyRules?.length) {
    if (restartPolicy !== undefined) checkSupported(errors, restartPolicy, path.child('restartPolicy'), ['Always'])
  } else if (restartPolicy === 'Always' && restartPolicyRules?.length) {
    const why = 'restartPolicyRules are not allowed for init containers with restart policy Always'
    errors.push(fieldErrors.forbidden(path.child('restartPolicyRules'), why))
  } else checkPolicyAndRules(errors, container, gates, path)
}

function checkPolicyAndRules(
  errors: FieldError[],
  { restartPolicy, restartPolicyRules: rules = [] }: Restarts,
  gates: RestartGates,
  path: FieldPath,
): void {
  const policyPath = path.child('restartPolicy')
  if (restartPolicy !== undefined) checkSupported(errors, restartPolicy, policyPath, ['Always', 'Never', 'OnFailure'])
  else if (rules.length > 0)
    errors.push(fieldErrors.required(policyPath, 'must specify restartPolicy when restart rules are used'))
  const rulesPath = path.child('restartPolicyRules')
  if (rules.length > rulesMax) errors.push(fieldErrors.tooMany(rulesPath, rules.length, rulesMax))
  rules.forEach((rule, index) => checkRule(errors, rule, gates, rulesPath.index(index)))
}

function checkRule(
  errors: FieldError[],
  { action, exitCodes }: core.ContainerRestartRule,
  { allContainers }: RestartGates,
  path: FieldPath,
): void {
  checkSupported(
    errors,
    action,
    path.child('action'),
    allContainers ? ['Restart', 'RestartAllContainers'] : ['Restart'],
  )
  const codesPath = path.child('exitCodes')
  if (!exitCodes) {
    errors.push(fieldErrors.required(codesPath, 'must be specified'))
    return
  }
  const { operator, values = [] } = exitCodes
  checkSupported(errors, operator, codesPath.child('operator'), ['In', 'NotIn'])
  if (values.length > exitCodesMax)
    errors.push(fieldErrors.tooMany(codesPath.child('values'), values.length, exitCodesMax))
}
