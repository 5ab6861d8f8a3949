import type { FieldError } from '../../object/index.ts'
import type { Type } from '../../schema/index.ts'
import type { Plan } from './plan.ts'
import type { DeclaredRule } from './rule.ts'

/** A rule, and the rest of an error's path after the rule's field. */
export interface Trace {
  readonly rule: DeclaredRule
  readonly below: string
}

/** The declared rules that would report an error: `spec.devices[2].name` leads to rules of spec, devices and name. */
export function rulesCovering(plan: Plan, finding: FieldError): readonly Trace[] {
  const traces: Trace[] = []
  trace(plan, finding.field === '' ? '' : `.${finding.field}`)
  return traces

  function add(rule: DeclaredRule, below: string): void {
    if (rule.covers(finding, below)) traces.push({ rule, below })
  }

  function trace({ union, fields }: Plan, path: string): void {
    if (union) add(union, path)
    const name = /^\.([^.[]+)/.exec(path)?.[1]
    const next = fields.find(({ field }) => field.name === name)
    if (name === undefined || !next) return
    const rest = path.slice(1 + name.length)
    for (const rule of next.rules) add(rule, rest)
    const inner = next.below && intoStruct(next.field.type, rest)
    if (next.below && inner !== undefined) trace(next.below, inner)
  }
}

/** The path within the structs of a type: without indexes and keys. Undefined where it ends earlier. */
function intoStruct(type: Type, path: string): string | undefined {
  if (type.is === 'struct') return path
  // A key may contain brackets: it ends where the path continues or ends.
  const step = type.is === 'list' ? /^\[\d+\]/ : /^\[.*?\](?=$|[.[])/s
  const [taken] = step.exec(path) ?? []
  if (taken === undefined || (type.is !== 'list' && type.is !== 'map')) return undefined
  return intoStruct(type.element, path.slice(taken.length))
}
