import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type LabelSelectorObject,
  labelSelectorFromObject,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'

/** Checks a LabelSelector from a user. */
export function checkLabelSelector(errors: FieldError[], selector: LabelSelectorObject, path: FieldPath): void {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const at = path.child('matchLabels')
    for (const finding of validateQualifiedName(key)) errors.push(fieldErrors.invalid(at, key, finding))
    for (const finding of validateLabelValue(value)) errors.push(fieldErrors.invalid(at, value, finding))
  }
  selector.matchExpressions?.forEach((requirement, index) => {
    const at = path.child('matchExpressions').index(index)
    const values = requirement.values ?? []
    switch (requirement.operator) {
      case 'In':
      case 'NotIn':
        if (values.length === 0)
          errors.push(fieldErrors.required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"))
        break
      case 'Exists':
      case 'DoesNotExist':
        if (values.length > 0)
          errors.push(
            fieldErrors.forbidden(
              at.child('values'),
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          )
        break
      default:
        errors.push(
          fieldErrors.invalid(at.child('operator'), requirement.operator ?? '', 'not a valid selector operator'),
        )
    }
    for (const finding of validateQualifiedName(requirement.key ?? ''))
      errors.push(fieldErrors.invalid(at.child('key'), requirement.key ?? '', finding))
    values.forEach((value, valueIndex) => {
      for (const finding of validateLabelValue(value))
        errors.push(fieldErrors.invalid(at.child('values').index(valueIndex), value, finding))
    })
  })
}

/** Whether a selector has no error that keeps it from selecting. */
export function isReadableSelector(selector: LabelSelectorObject): boolean {
  const labels = Object.entries(selector.matchLabels ?? {})
  if (labels.some(([key, value]) => validateQualifiedName(key).length > 0 || validateLabelValue(value).length > 0))
    return false
  try {
    labelSelectorFromObject(selector)
    return true
  } catch {
    return false
  }
}

/** Checks labels outside of metadata: in a nodeSelector, a selector's map. */
export function checkLabels(
  errors: FieldError[],
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const finding of validateQualifiedName(key)) errors.push(fieldErrors.invalid(path, key, finding))
    for (const finding of validateLabelValue(value)) errors.push(fieldErrors.invalid(path, value, finding))
  }
}
