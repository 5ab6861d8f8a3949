import { type ApiObject, type FieldError, fieldErrors, validateQualifiedName } from '../../../object/index.ts'
import { unqualifiedFinalizer } from '../../meta/finalizers.ts'
import { type NamespaceStatus, namespaceFinalizers } from './strategy.ts'

export function validateNamespace(object: ApiObject): FieldError[] {
  return validateFinalizers(object, () => 'spec.finalizers')
}

export function validateFinalizeUpdate(object: ApiObject): FieldError[] {
  return validateFinalizers(object, (index) => `spec.finalizers[${index}]`)
}

function validateFinalizers(object: ApiObject, pathOf: (index: number) => string): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, finalizer] of namespaceFinalizers(object).entries()) {
    const invalid = (why: string): void => void errors.push(fieldErrors.invalid(pathOf(index), finalizer, why))
    for (const finding of validateQualifiedName(finalizer)) invalid(finding)
    const why = unqualifiedFinalizer(finalizer)
    if (why !== undefined) invalid(why)
  }
  return errors
}

export function validateStatusUpdate(object: ApiObject): FieldError[] {
  const phase = (object.status as NamespaceStatus | undefined)?.phase ?? ''
  const deleted = object.metadata.deletionTimestamp !== undefined
  if (!deleted && phase !== 'Active')
    return [fieldErrors.invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")]
  if (deleted && phase !== 'Terminating')
    return [fieldErrors.invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")]
  return []
}
