import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'

export interface LeaseSpec {
  holderIdentity?: string
  leaseDurationSeconds?: number
  leaseTransitions?: number
  strategy?: string
  preferredHolder?: string
}

const spec = FieldPath.root('spec')

export function validateLease(object: ApiObject): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = (object.spec ?? {}) as LeaseSpec
  const errors: FieldError[] = []
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    const why = 'must be greater than 0'
    errors.push(fieldErrors.invalid(spec.child('leaseDurationSeconds'), leaseDurationSeconds, why))
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    const why = 'must be greater than or equal to 0'
    errors.push(fieldErrors.invalid(spec.child('leaseTransitions'), leaseTransitions, why))
  }
  if (strategy !== undefined) validateStrategy(strategy, errors)
  if (preferredHolder !== undefined && preferredHolder !== '' && (strategy ?? '') === '') {
    const why = 'may only be specified if `strategy` is defined'
    errors.push(fieldErrors.forbidden(spec.child('preferredHolder'), why))
  }
  return errors
}

/** One of Kubernetes' own names, or a name with a domain. */
function validateStrategy(strategy: string, errors: FieldError[]): void {
  const path = spec.child('strategy')
  if (!strategy.includes('/')) {
    if (strategy !== 'OldestEmulationVersion')
      errors.push(fieldErrors.notSupported(path, strategy, ['OldestEmulationVersion']))
    return
  }
  for (const finding of validateQualifiedName(strategy)) errors.push(fieldErrors.invalid(path, strategy, finding))
}
