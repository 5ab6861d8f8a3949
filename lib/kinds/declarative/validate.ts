import { isRecord } from '../../base/index.ts'
import { equalityKey, type FieldError, FieldPath, semanticEqual } from '../../object/index.ts'
import type { StructType, Type } from '../../schema/index.ts'
import { createPlans, type Plan } from './plan.ts'
import { rulesCovering, type Trace } from './trace.ts'
import { isAbsent } from './value.ts'

interface DeclarativeValidation {
  /**
   * Checks an object by the rules in its type's tables. `old` is the replaced object, undefined on creation: unchanged
   * values are not checked again.
   */
  validate(struct: StructType, object: unknown, old: unknown): readonly FieldError[]
  /** The declared rules that cover an error from other code. */
  covering(struct: StructType, finding: FieldError): readonly Trace[]
}

/** Gates must not change while a server runs: the checks of a type are computed once. */
export function createDeclarativeValidation(gate: (name: string) => boolean): DeclarativeValidation {
  const planOf = createPlans(gate)
  return {
    validate(struct, object, old) {
      const plan = planOf(struct)
      if (!plan) return []
      const errors: FieldError[] = []
      checkStruct(errors, plan, object, old, old !== undefined, FieldPath.root(''))
      return errors
    },
    covering(struct, finding) {
      const plan = planOf(struct)
      return plan ? rulesCovering(plan, finding) : []
    },
  }
}
function checkStruct(
  errors: FieldError[],
  plan: Plan,
  object: unknown,
  old: unknown,
  isUpdate: boolean,
  path: FieldPath,
): void {
  if (!isRecord(object)) return
  const before = isRecord(old) ? old : undefined
  plan.union?.check(errors, { value: object, old: before, isUpdate: before !== undefined, path })
  for (const { field, rules, rulesOfAbsent, below } of plan.fields) {
    const value = object[field.name]
    const oldValue = before?.[field.name]
    if (before && semanticEqual(value ?? null, oldValue ?? null)) continue
    const at = path.child(field.name)
    const subject = { value, old: oldValue, isUpdate: before !== undefined, path: at }
    for (const rule of isAbsent(field, value) ? rulesOfAbsent : rules) rule.check(errors, subject)
    if (below) checkBelow(errors, below, field.type, value, oldValue, isUpdate, at)
  }
}

function checkBelow(
  errors: FieldError[],
  plan: Plan,
  type: Type,
  value: unknown,
  old: unknown,
  isUpdate: boolean,
  path: FieldPath,
): void {
  if (type.is === 'list' && Array.isArray(value)) {
    const counterpartOf = counterparts(type.keys, old)
    value.forEach((item, index) =>
      checkBelow(errors, plan, type.element, item, counterpartOf(item), isUpdate, path.index(index)),
    )
  } else if (type.is === 'map' && isRecord(value))
    for (const [key, item] of Object.entries(value))
      checkBelow(errors, plan, type.element, item, isRecord(old) ? old[key] : undefined, isUpdate, path.key(key))
  else if (type.is === 'struct') checkStruct(errors, plan, value, old, isUpdate, path)
}

/** Finds the old list's first item with the same keys, or the same item. */
function counterparts(keys: readonly string[], old: unknown): (item: unknown) => unknown {
  if (!Array.isArray(old)) return () => undefined
  const keyOf = (item: unknown): string =>
    equalityKey(keys.length > 0 && isRecord(item) ? keys.map((key) => item[key]) : item, { semantic: true })
  const places = new Map<string, unknown>()
  for (const item of old) {
    const key = keyOf(item)
    if (!places.has(key)) places.set(key, item)
  }
  return (item) => places.get(keyOf(item))
}
