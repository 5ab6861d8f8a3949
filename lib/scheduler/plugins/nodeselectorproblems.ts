import type { NodeSelectorTerm } from '../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']

/** The mistakes in a term of a configuration file, which no API server has validated. */
export function nodeSelectorProblems(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: FieldPath,
): FieldError[] {
  const problemsOf = (list: 'matchExpressions' | 'matchFields', of: typeof matchExpressions): FieldError[] =>
    of.flatMap(({ key, operator, values = [] }, index) => {
      const at = path.child(list).index(index)
      if (!operators.includes(operator))
        return [fieldErrors.notSupported(at.child('operator'), operator, operators.toSorted())]
      if (key === '') return [fieldErrors.required(at.child('key'))]
      const isSet = operator === 'In' || operator === 'NotIn'
      if (isSet && values.length === 0)
        return [
          fieldErrors.invalid(at.child('values'), values, "for 'in', 'notin' operators, values set can't be empty"),
        ]
      return []
    })
  return [...problemsOf('matchExpressions', matchExpressions), ...problemsOf('matchFields', matchFields)]
}
