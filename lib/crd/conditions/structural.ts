import { checkDefinitionStructure } from '../../kinds/index.ts'
import { type FieldError, FieldPath, fieldErrors } from '../../object/index.ts'
import type { Definition } from '../definition/definition.ts'

/** Violations that one condition names; the rest is a number. */
export const violationsMax = 100

/**
 * NonStructuralSchema; undefined: every schema is structural. Definitions that this server accepts are, but not all
 * that another server has stored.
 */
export function structuralCondition({
  spec,
}: Definition): { status: 'True'; reason: string; message: string } | undefined {
  const at = FieldPath.root('spec')
  const errors: FieldError[] = []
  if (spec.preserveUnknownFields)
    errors.push(fieldErrors.invalid(at.child('preserveUnknownFields'), true, 'must be false'))
  for (const [index, { schema }] of (spec.versions ?? []).entries()) {
    const path = at.child('versions').index(index).child('schema').child('openAPIV3Schema')
    if (schema?.openAPIV3Schema) checkDefinitionStructure(errors, schema.openAPIV3Schema, path)
  }
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))]
  const [first] = lines
  if (first === undefined) return undefined
  const told = lines.slice(0, violationsMax)
  if (told.length < lines.length) told.push(`and ${lines.length - told.length} more`)
  const message = lines.length === 1 ? first : `[${told.join(', ')}]`
  return { status: 'True', reason: 'Violations', message }
}
