import { isRecord } from '../base/index.ts'
import type { StructType, Type } from '../schema/index.ts'

/** Removes fields whose feature gates are all off, unless the replaced object uses them already. */
export type DropDisabledFields = (type: StructType, object: unknown, old: unknown) => void

interface Plan {
  /** Fields to drop. */
  readonly drop: readonly string[]
  /** Fields below which fields may be dropped. */
  readonly below: readonly { readonly name: string; readonly plan: Plan }[]
}
type MutablePlan = { drop: string[]; below: { name: string; plan: Plan }[] }

/** Gates must not change while a server runs: the fields to drop are computed once a type. */
export function createDropDisabledFields(gate: (name: string) => boolean): DropDisabledFields {
  const plans = new Map<StructType, Plan>()

  function planOf(type: StructType): Plan {
    const known = plans.get(type)
    if (known) return known
    const plan: MutablePlan = { drop: [], below: [] }
    plans.set(type, plan)
    for (const field of type.fields) {
      if (field.gates.length > 0 && !field.gates.some(gate)) plan.drop.push(field.name)
      const struct = structBelow(field.type)
      if (struct) plan.below.push({ name: field.name, plan: planOf(struct) })
    }
    return plan
  }

  const useful = new Map<StructType, Plan | undefined>()
  return (type, object, old) => {
    if (!useful.has(type)) useful.set(type, prune(planOf(type)))
    const plan = useful.get(type)
    // Hardly any object has such fields, so the search comes first.
    if (plan && hasDisabled(plan, object)) drop(plan, [object], [old])
  }
}

function structBelow(type: Type): StructType | undefined {
  if (type.is === 'struct') return type
  return type.is === 'list' || type.is === 'map' ? structBelow(type.element) : undefined
}

/** The plan without branches that drop nothing; undefined when it is empty. */
function prune(root: Plan): Plan | undefined {
  const drops = dropping(root)
  const pruned = new Map<Plan, MutablePlan>()
  const copy = (plan: Plan): Plan => {
    const known = pruned.get(plan)
    if (known) return known
    const result: MutablePlan = { drop: [...plan.drop], below: [] }
    pruned.set(plan, result)
    for (const { name, plan: child } of plan.below) if (drops.has(child)) result.below.push({ name, plan: copy(child) })
    return result
  }
  return drops.has(root) ? copy(root) : undefined
}

/** Plans that drop something at any depth. Types may contain themselves, hence the fixed point. */
function dropping(root: Plan): Set<Plan> {
  const all = new Set<Plan>([root])
  for (const plan of all) for (const { plan: child } of plan.below) all.add(child)
  const found = new Set([...all].filter((plan) => plan.drop.length > 0))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const plan of all) if (plan.below.some(({ plan: child }) => found.has(child))) found.add(plan)
  }
  return found
}

function hasDisabled(plan: Plan, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (hasDisabled(plan, item)) return true
    return false
  }
  const record = value as Record<string, unknown>
  for (const name of plan.drop) if (record[name] !== undefined) return true
  for (const { name, plan: child } of plan.below) if (hasDisabled(child, record[name])) return true
  return false
}

function drop(plan: Plan, objects: readonly unknown[], olds: readonly unknown[]): void {
  const records = objects.filter(isRecord)
  const oldRecords = olds.filter(isRecord)
  if (records.length === 0) return
  for (const name of plan.drop) {
    if (oldRecords.some((old) => old[name] !== undefined)) continue
    for (const record of records) delete record[name]
  }
  for (const { name, plan: child } of plan.below) {
    const values = records.flatMap((record) => flat(record[name]))
    if (values.length > 0)
      drop(
        child,
        values,
        oldRecords.flatMap((old) => flat(old[name])),
      )
  }
}

/** A value, or a list's items. Maps of structs are treated as one struct: none has a gated field. */
function flat(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(flat)
  return value === undefined ? [] : [value]
}
