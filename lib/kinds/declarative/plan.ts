import type { Field, StructType, Type } from '../../schema/index.ts'
import { compileRule, type DeclaredRule, ruleInForce } from './rule.ts'
import { unionRule } from './union.ts'

/** The checks of a type: its fields with rules, or with types below that have some. */
export interface Plan {
  readonly fields: readonly FieldPlan[]
  /** The rule for the struct as a whole. */
  readonly union: DeclaredRule | undefined
}
interface FieldPlan {
  readonly field: Field
  readonly rules: readonly DeclaredRule[]
  /** The rules of an absent field: whether the table requires it; the others don't apply then. */
  readonly rulesOfAbsent: readonly DeclaredRule[]
  readonly below: Plan | undefined
}

interface Draft extends Plan {
  fields: (FieldPlan & { readonly below: Draft | undefined })[]
}

/** The plans of types, undefined for those without rules. A type's plan is computed at its first use. */
export function createPlans(gate: (name: string) => boolean): (struct: StructType) => Plan | undefined {
  const drafts = new Map<StructType, Draft>()
  const plans = new Map<StructType, Plan | undefined>()

  function draft(struct: StructType): Draft {
    const known = drafts.get(struct)
    if (known) return known
    const plan: Draft = { fields: [], union: unionRule(struct) }
    drafts.set(struct, plan)
    for (const field of struct.fields) {
      const texts = field.rules.flatMap((text) => ruleInForce(text, gate) ?? [])
      const rules = texts.flatMap((text) => (isLeftToKind(text, texts) ? [] : (compileRule(text, field) ?? [])))
      const isSettled = texts.includes('optional') || texts.includes('required')
      const rulesOfAbsent = isSettled ? rules.filter(({ ofAbsent }) => ofAbsent) : rules
      const inner = structBelow(field.type)
      const below = inner && draft(inner)
      if (rules.length > 0 || below) plan.fields.push({ field, rules, rulesOfAbsent, below })
    }
    return plan
  }

  return (struct) => {
    if (!plans.has(struct)) {
      const plan = draft(struct)
      const checking = withChecks(plan)
      for (const each of checking)
        each.fields = each.fields.filter(({ rules, below }) => rules.length > 0 || (below && checking.has(below)))
      plans.set(struct, checking.has(plan) ? plan : undefined)
    }
    return plans.get(struct)
  }
}

/** With `customUnique` the kind itself checks for repeated items, whatever the list's type. */
function isLeftToKind(text: string, texts: readonly string[]): boolean {
  return text.startsWith('listType=') && texts.includes('customUnique')
}

function structBelow(type: Type): StructType | undefined {
  if (type.is === 'struct') return type
  return type.is === 'list' || type.is === 'map' ? structBelow(type.element) : undefined
}

/** Plans with checks at any depth. Types may contain themselves, hence the fixed point. */
function withChecks(root: Draft): Set<Draft> {
  const all = new Set<Draft>([root])
  for (const plan of all) for (const { below } of plan.fields) if (below) all.add(below)
  const found = new Set([...all].filter((plan) => plan.union || plan.fields.some(({ rules }) => rules.length > 0)))
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const plan of all) if (plan.fields.some(({ below }) => below && found.has(below))) found.add(plan)
  }
  return found
}
