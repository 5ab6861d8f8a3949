import { type FieldError, FieldPath, fieldErrors, semanticEqual } from '../../object/index.ts'
import type { Field, StructType, Type } from '../../schema/index.ts'
import { compileRule, isRecord, isUnset, type Rule } from './rule.ts'

/**
 * Checks an object by the rules that its type's tables state. `old` is what it replaces, undefined on creation: what has
 * not changed is not judged again.
 */
export type DeclarativeValidation = (struct: StructType, object: unknown, old: unknown) => readonly FieldError[]

interface FieldPlan {
  readonly field: Field
  readonly rules: readonly Rule[]
  /** A value that is absent breaks no rule but these. */
  readonly isOptional: boolean
  readonly below: Plan | undefined
}
interface Plan {
  fields: FieldPlan[]
  /** Fields of which exactly one is to be set, or at most one. */
  union: { readonly names: readonly string[]; readonly isRequired: boolean } | undefined
}

/** Gates must not change while a server runs: what is checked of a type is worked out once. */
export function createDeclarativeValidation(gate: (name: string) => boolean): DeclarativeValidation {
  const plans = new Map<StructType, Plan>()
  const useful = new Map<StructType, Plan | undefined>()

  function planOf(struct: StructType): Plan {
    const known = plans.get(struct)
    if (known) return known
    const plan: Plan = { fields: [], union: unionOf(struct) }
    plans.set(struct, plan)
    for (const field of struct.fields) {
      const rules = field.rules.flatMap((text) => compileRule(text, field, gate) ?? [])
      const inner = structBelow(field.type)
      const below = inner && planOf(inner)
      const isOptional = field.rules.some((text) => /^optional\b/.test(text))
      if (rules.length > 0 || below) plan.fields.push({ field, rules, isOptional, below })
    }
    return plan
  }

  return (struct, object, old) => {
    if (!useful.has(struct)) {
      const plan = planOf(struct)
      const checking = withChecks(plan)
      for (const each of checking)
        each.fields = each.fields.filter(({ rules, below }) => rules.length > 0 || (below && checking.has(below)))
      useful.set(struct, checking.has(plan) ? plan : undefined)
    }
    const plan = useful.get(struct)
    if (!plan) return []
    const errors: FieldError[] = []
    checkStruct(errors, plan, object, old, old !== undefined, FieldPath.root(''))
    return errors
  }
}

function structBelow(type: Type): StructType | undefined {
  if (type.is === 'struct') return type
  return type.is === 'list' || type.is === 'map' ? structBelow(type.element) : undefined
}

function unionOf(struct: StructType): Plan['union'] {
  const marked = (marker: string): string[] =>
    struct.fields.filter(({ rules }) => rules.some((text) => text.split(' ')[0] === marker)).map(({ name }) => name)
  const isDiscriminated = struct.unions.some(({ discriminator }) => discriminator !== undefined)
  const members = marked('unionMember')
  if (members.length > 0 && !isDiscriminated) return { names: members, isRequired: true }
  const atMostOne = marked('zeroOrOneOfMember')
  return atMostOne.length > 0 ? { names: atMostOne, isRequired: false } : undefined
}

/** Plans that check something, themselves or below. Types may contain themselves, hence the fixed point. */
function withChecks(root: Plan): Set<Plan> {
  const all = new Set<Plan>([root])
  for (const plan of all) for (const { below } of plan.fields) if (below) all.add(below)
  const found = new Set([...all].filter((plan) => plan.union || plan.fields.some(({ rules }) => rules.length > 0)))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const plan of all) if (plan.fields.some(({ below }) => below && found.has(below))) found.add(plan)
  }
  return found
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
  if (plan.union) checkUnion(errors, plan.union, object, before, path)
  for (const { field, rules, isOptional, below } of plan.fields) {
    const value = object[field.name]
    const oldValue = before?.[field.name]
    if (before && semanticEqual(value ?? null, oldValue ?? null)) continue
    const at = path.child(field.name)
    const subject = { value, old: oldValue, isUpdate: before !== undefined, path: at }
    if (!isOptional || !isUnset(value) || before) for (const rule of rules) rule(errors, subject)
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
  if (type.is === 'list' && Array.isArray(value))
    value.forEach((item, index) => {
      const before = counterpart(item, type.keys, old)
      checkBelow(errors, plan, type.element, item, before, isUpdate, path.index(index))
    })
  else if (type.is === 'map' && isRecord(value))
    for (const [key, item] of Object.entries(value))
      checkBelow(errors, plan, type.element, item, isRecord(old) ? old[key] : undefined, isUpdate, path.key(key))
  else if (type.is === 'struct') checkStruct(errors, plan, value, old, isUpdate, path)
}

/** The old list's item with the same keys, or the same item. */
function counterpart(item: unknown, keys: readonly string[], old: unknown): unknown {
  if (!Array.isArray(old)) return undefined
  return old.find((before) =>
    keys.length === 0
      ? semanticEqual(before, item)
      : isRecord(before) && isRecord(item) && keys.every((key) => before[key] === item[key]),
  )
}

function checkUnion(
  errors: FieldError[],
  union: NonNullable<Plan['union']>,
  object: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>> | undefined,
  path: FieldPath,
): void {
  const set = union.names.filter((name) => object[name] !== undefined)
  if (set.length === 1 || (set.length === 0 && !union.isRequired)) return
  if (old && union.names.every((name) => (object[name] === undefined) === (old[name] === undefined))) return
  const names = union.names.map((name) => `\`${name}\``).join(', ')
  const why = union.isRequired ? `must specify exactly one of: ${names}` : `must specify at most one of: ${names}`
  errors.push(fieldErrors.invalid(path, set.length === 0 ? '' : `{${set.join(', ')}}`, why))
}
