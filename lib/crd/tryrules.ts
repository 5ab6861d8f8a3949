import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import type { FieldError } from '../object/index.ts'
import { compileSchema } from './schema/compile.ts'
import { createRuleEnvironment, createRuleSet, objectCostMax } from './schema/rules.ts'

/** Findings of a definition's rules about one object. */
interface TriedRules {
  readonly errors: readonly FieldError[]
  /** Errors of values that the update does not change. */
  readonly warnings: readonly string[]
  /** Cost units of all rules, and their maximum. */
  readonly cost: number
  readonly costMax: number
}

/**
 * Evaluates the rules (x-kubernetes-validations) of a version's schema. `old` undefined: the object is new. Throws Error
 * for a schema that is not structural.
 */
export function tryRules(schema: v1.JSONSchemaProps, object: unknown, old: unknown): TriedRules {
  const rules = createRuleSet(compileSchema(schema), createRuleEnvironment())
  const { errors, warnings, cost } = rules.validate(object, old)
  return { errors, warnings, cost, costMax: objectCostMax }
}
