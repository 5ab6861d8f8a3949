import { checkDefinitionStructure } from '../../kinds/index.ts'
import { type FieldError, FieldPath, fieldErrors } from '../../object/index.ts'
import type { Definition } from '../definition/definition.ts'

/** Number of violations that one condition lists; it only counts the rest. */
export const violationsMax = 100

interface StructuralCondition {
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

/** Checks each generation of a definition once: its status changes more often than its schemas. */
export class StructuralConditions {
  readonly #known = new Map<string, { uid: string; generation: number; condition: StructuralCondition | undefined }>()

  of(definition: Definition): StructuralCondition | undefined {
    const { name = '', uid = '', generation = 0 } = definition.metadata
    const known = this.#known.get(name)
    if (known?.uid === uid && known.generation === generation) return known.condition
    const condition = structuralCondition(definition)
    this.#known.set(name, { uid, generation, condition })
    return condition
  }

  forget(name: string): void {
    this.#known.delete(name)
  }
}

/**
 * The condition NonStructuralSchema; undefined: every schema is structural, as in all definitions that this server
 * accepts, but not in all that another server has stored.
 */
export function structuralCondition({ spec }: Definition): StructuralCondition | undefined {
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
