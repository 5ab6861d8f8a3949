import { mandatoryLevels } from '../../../../api/bootstrap/flowcontrol/index.ts'
import type * as flowcontrol from '../../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors, semanticEqual } from '../../../object/index.ts'
import { validateConditions } from '../conditions.ts'

const path = FieldPath.root('spec')
const queuesMax = 10_000_000
const entropyBitsMax = 60
/** Preserved a zero through a version without one; no longer supported. */
const retiredAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'

export const specOf = (object: ApiObject): flowcontrol.PriorityLevelConfigurationSpec =>
  object['spec'] as flowcontrol.PriorityLevelConfigurationSpec

export function validateLevel(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { name = '', annotations } = object.metadata
  const spec = specOf(object)
  if (annotations && Object.hasOwn(annotations, retiredAnnotation))
    errors.push(fieldErrors.forbidden('metadata.annotations', `annotation '${retiredAnnotation}' is forbidden`))
  checkSpec(errors, spec, name)
  checkFixed(errors, spec, name)
  return [...errors, ...validateConditions(object)]
}

function checkFixed(errors: FieldError[], spec: flowcontrol.PriorityLevelConfigurationSpec, name: string): void {
  const fixed = mandatoryLevels[name]
  if (!fixed) return
  if (name !== 'exempt') {
    if (!semanticEqual(spec, fixed))
      errors.push(fieldErrors.invalid(path, spec, `spec of '${name}' must equal the fixed value`))
    return
  }
  const { exempt: _, ...rest } = spec
  if (semanticEqual(rest, { type: fixed.type })) return
  const why = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`
  errors.push(fieldErrors.invalid(path, spec, why))
}

function checkSpec(errors: FieldError[], spec: flowcontrol.PriorityLevelConfigurationSpec, name: string): void {
  const { type, limited, exempt } = spec
  if ((name === 'exempt') !== (type === 'Exempt'))
    if (type === 'Exempt' || name === 'exempt')
      errors.push(fieldErrors.invalid(path.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  if (type === 'Exempt') {
    if (limited) errors.push(fieldErrors.forbidden(path.child('limited'), 'must be nil if the type is not Limited'))
    if (exempt) checkShares(errors, exempt, path.child('exempt'))
  } else if (type === 'Limited') {
    if (exempt) errors.push(fieldErrors.forbidden(path.child('exempt'), 'must be nil if the type is Limited'))
    if (limited) checkLimited(errors, limited, path.child('limited'))
    else errors.push(fieldErrors.required(path.child('limited'), 'must not be empty when type is Limited'))
  } else errors.push(fieldErrors.notSupported(path.child('type'), type, ['Exempt', 'Limited']))
}

function checkShares(
  errors: FieldError[],
  shares: { nominalConcurrencyShares?: number; lendablePercent?: number },
  at: FieldPath,
): void {
  const { nominalConcurrencyShares: nominal = 0, lendablePercent: lendable = 0 } = shares
  if (nominal < 0)
    errors.push(fieldErrors.invalid(at.child('nominalConcurrencyShares'), nominal, 'must be a non-negative integer'))
  if (lendable < 0 || lendable > 100)
    errors.push(fieldErrors.invalid(at.child('lendablePercent'), lendable, 'must be between 0 and 100, inclusive'))
}

function checkLimited(
  errors: FieldError[],
  limited: flowcontrol.LimitedPriorityLevelConfiguration,
  at: FieldPath,
): void {
  checkShares(errors, limited, at)
  const borrowing = limited.borrowingLimitPercent
  if (borrowing !== undefined && borrowing < 0) {
    const why = 'if specified, must be a non-negative integer'
    errors.push(fieldErrors.invalid(at.child('borrowingLimitPercent'), borrowing, why))
  }
  checkResponse(errors, limited.limitResponse, at.child('limitResponse'))
}

function checkResponse(errors: FieldError[], response: flowcontrol.LimitResponse, at: FieldPath): void {
  const { type, queuing } = response
  if (type === 'Reject') {
    const why = 'must be nil if limited.limitResponse.type is not Limited'
    if (queuing) errors.push(fieldErrors.forbidden(at.child('queuing'), why))
  } else if (type === 'Queue') {
    const why = 'must not be empty if limited.limitResponse.type is Limited'
    if (queuing) checkQueuing(errors, queuing, at.child('queuing'))
    else errors.push(fieldErrors.required(at.child('queuing'), why))
  } else errors.push(fieldErrors.notSupported(at.child('type'), type, ['Queue', 'Reject']))
}

function checkQueuing(errors: FieldError[], queuing: flowcontrol.QueuingConfiguration, at: FieldPath): void {
  const { queues, handSize, queueLengthLimit } = queuing
  const invalid = (field: keyof flowcontrol.QueuingConfiguration, why: string): void =>
    void errors.push(fieldErrors.invalid(at.child(field), queuing[field], why))
  if (queueLengthLimit <= 0) invalid('queueLengthLimit', 'must be positive')
  if (queues <= 0) invalid('queues', 'must be positive')
  else if (queues > queuesMax) invalid('queues', `must not be greater than ${queuesMax}`)
  if (handSize <= 0) invalid('handSize', 'must be positive')
  else if (handSize > queues) invalid('handSize', `should not be greater than queues (${queues})`)
  // A hand is dealt from the bits of one 64-bit hash.
  else if (Math.ceil(Math.log2(queues) * handSize) > entropyBitsMax) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${entropyBitsMax}`
    invalid('handSize', why)
  }
}
