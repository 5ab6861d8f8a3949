import { isRecord, unlimitedWork, type WorkLimit } from '../../base/index.ts'
import {
  type CelType,
  CompileSlice,
  compile,
  createEnvironment,
  type Environment,
  extendEnvironment,
  kubernetesLibraries,
  Optional,
  type Program,
  toValue,
  types,
} from '../../cel/index.ts'
import { deepEqual, type FieldError, fieldErrors } from '../../object/index.ts'
import { celTypeOf } from './celtypes.ts'
import { correlateItems, fieldOf } from './correlate.ts'
import { type FieldStep, parseFieldPath } from './fieldpath.ts'
import type { RuleSource, SchemaNode } from './node.ts'
import { type RuleMeter, silentMeter } from './rulemeter.ts'
import { rootPath, type ValuePath } from './valuepath.ts'

/** Maximum cost of one rule, and of all rules of one validation together. */
const ruleCostMax = 1_000_000
export const objectCostMax = 10_000_000
const messageBytesMax = 5120
/** Number of values with rules, and of cost units, between two looks at the clock. */
const rulesPerCheck = 500
const costPerCheck = 50_000

/** The errors and warnings of an object's rules. */
interface RuleFindings {
  readonly errors: FieldError[]
  /** Errors of values that the update does not change: rules that were added later must not block it. */
  readonly warnings: string[]
  /** Cost units of all rules. */
  readonly cost: number
}

/** The rules of one schema; each is compiled when it is first evaluated. */
export interface RuleSet {
  /** `old` undefined: the object is new. */
  validate(value: unknown, old: unknown, work?: WorkLimit): RuleFindings
}

/** The environment that all rules of a server share. `minor`: the oldest release that has to understand new ones. */
export function createRuleEnvironment(minor?: number): Environment {
  return createEnvironment({ libraries: kubernetesLibraries(minor) })
}

export function createRuleSet(root: SchemaNode, environment: Environment, meter: RuleMeter = silentMeter): RuleSet {
  const compiled = new Map<SchemaNode, readonly LazyRule[]>()
  const rulesOf: RulesOf = (node, isRoot) => {
    let rules = compiled.get(node)
    if (!rules) compiled.set(node, (rules = compileRules(node, isRoot, environment, meter)))
    return rules
  }
  return {
    validate(value, old, work = unlimitedWork) {
      if (!root.below.rules) return { errors: [], warnings: [], cost: 0 }
      const run = new Run(rulesOf, meter, work)
      run.visit(root, value, old, rootPath, true)
      return run
    },
  }
}

type RulesOf = (node: SchemaNode, isRoot: boolean) => readonly LazyRule[]

/** The nodes with rules, where rules may be. */
export function* ruledNodes(node: SchemaNode): Generator<SchemaNode> {
  if (!node.below.rules) return
  if (node.rules.length > 0) yield node
  for (const [, property] of node.below.ruled) yield* ruledNodes(property)
  if (typeof node.additional === 'object') yield* ruledNodes(node.additional)
  if (node.items) yield* ruledNodes(node.items)
}

/** A rule that is compiled when it is first evaluated. */
class LazyRule {
  readonly source: RuleSource
  readonly #compile: () => CompiledRule
  #compiled: CompiledRule | undefined

  constructor(source: RuleSource, compileRule: () => CompiledRule) {
    this.source = source
    this.#compile = compileRule
  }
  get isCompiled(): boolean {
    return this.#compiled !== undefined
  }
  get compiled(): CompiledRule {
    return (this.#compiled ??= this.#compile())
  }
}

interface CompiledRule {
  readonly source: RuleSource
  /** Undefined: it does not compile; `failure` has the reason. */
  readonly program: Program | undefined
  readonly failure: string
  readonly messageProgram: Program | undefined
  readonly self: CelType
  readonly usesOldSelf: boolean
  readonly fieldPath: readonly FieldStep[] | undefined
}

function compileRules(node: SchemaNode, isRoot: boolean, base: Environment, meter: RuleMeter): readonly LazyRule[] {
  const self = celTypeOf(node, isRoot || node.embedded) ?? types.dyn
  const plain = extendEnvironment(base, { variables: { self, oldSelf: self } })
  const optional = extendEnvironment(base, { variables: { self, oldSelf: types.optional(self) } })
  // The definition's check has compiled patterns already; here they are compiled on first use.
  const patternBudget = { left: 0 }
  const compileRule = (source: RuleSource): CompiledRule => {
    const environment = source.optionalOldSelf ? optional : plain
    const rule = compile(environment, source.rule, { expectedType: types.bool, patternBudget })
    const message =
      source.messageExpression.trim() === ''
        ? undefined
        : compile(environment, source.messageExpression, { expectedType: types.string, patternBudget })
    const program = rule.ok ? rule.program : undefined
    return {
      source,
      program,
      failure: rule.ok ? '' : rule.code === 'type' ? 'cel expression must evaluate to a bool' : rule.message,
      messageProgram: message?.ok ? message.program : undefined,
      self,
      usesOldSelf: program?.variables.includes('oldSelf') ?? false,
      fieldPath: source.fieldPath === '' ? undefined : parseFieldPath(source.fieldPath.trim(), node),
    }
  }
  return node.rules.map((source) => new LazyRule(source, () => meter.compiling(() => compileRule(source))))
}

/** A list and its old value: rules on its items are ratcheted while the whole list is unchanged. */
class Correlation {
  readonly #value: unknown
  readonly #old: unknown
  #isUnchanged: boolean | undefined

  constructor(value: unknown, old: unknown) {
    this.#value = value
    this.#old = old
  }
  get isUnchanged(): boolean {
    return (this.#isUnchanged ??= deepEqual(this.#value, this.#old))
  }
}

interface RuleOutcome {
  /** Undefined: the rule holds. */
  readonly error: FieldError | undefined
  /** The rule is false. */
  readonly isFalse: boolean
}

const holds: RuleOutcome = Object.freeze({ error: undefined, isFalse: false })

class Run implements RuleFindings {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  #budget = objectCostMax
  #checkedAt = objectCostMax
  #evaluated = 0
  #isOver = false
  readonly #rulesOf: RulesOf
  readonly #meter: RuleMeter
  readonly #work: WorkLimit
  readonly #compiled = new CompileSlice()

  constructor(rulesOf: RulesOf, meter: RuleMeter, work: WorkLimit) {
    this.#rulesOf = rulesOf
    this.#work = work
    this.#meter = meter
  }

  get cost(): number {
    return objectCostMax - this.#budget
  }

  /** `list`: the list around, where items can't be correlated. */
  visit(node: SchemaNode, value: unknown, old: unknown, at: ValuePath, isRoot: boolean, list?: Correlation): void {
    if (!node.below.rules || this.#isOver || value === null || value === undefined) return
    if (node.rules.length > 0) {
      this.#meter.evaluating(() => this.#evaluateAll(node, value, old, at, isRoot, list))
      this.#check()
    }
    if (Array.isArray(value)) {
      const { items } = node
      if (!items?.below.rules) return
      const oldOf = correlateItems(node, old)
      const around = node.listType !== 'map' && Array.isArray(old) ? new Correlation(value, old) : list
      for (const [index, item] of value.entries()) this.visit(items, item, oldOf(item), at.index(index), false, around)
      return
    }
    if (!isRecord(value)) return
    const { additional } = node
    if (typeof additional === 'object' && additional.below.rules)
      for (const key of Object.keys(value))
        this.visit(additional, value[key], fieldOf(old, key), at.key(key), false, list)
    for (const [name, property] of node.below.ruled)
      if (Object.hasOwn(value, name)) this.visit(property, value[name], fieldOf(old, name), at.field(name), false, list)
  }

  /** Throws TooLongHere. */
  #check(): void {
    if (++this.#evaluated < rulesPerCheck && this.#checkedAt - this.#budget < costPerCheck) return
    this.#evaluated = 0
    this.#checkedAt = this.#budget
    this.#work.check()
  }

  /** Called before a rule is compiled. Throws TooLongHere. */
  #checkCompiling({ rule, messageExpression }: RuleSource): void {
    this.#compiled.note(rule)
    this.#compiled.note(messageExpression)
    if (this.#compiled.isDue()) this.#work.check()
  }

  #evaluateAll(
    node: SchemaNode,
    value: unknown,
    old: unknown,
    at: ValuePath,
    isRoot: boolean,
    list: Correlation | undefined,
  ): void {
    const hasOld = old !== undefined && old !== null
    let unchanged: boolean | undefined
    for (const lazy of this.#rulesOf(node, isRoot)) {
      if (this.#isOver) return
      if (!lazy.isCompiled) this.#checkCompiling(lazy.source)
      const rule = lazy.compiled
      if (rule.usesOldSelf && !hasOld && !rule.source.optionalOldSelf) continue
      const { error, isFalse } = this.#evaluate(rule, node, value, old, at)
      if (!error) continue
      // A rule without a result is not ratcheted.
      if (!isFalse) {
        this.errors.push(error)
        continue
      }
      unchanged ??= hasOld ? deepEqual(value, old) : (list?.isUnchanged ?? false)
      if (unchanged && !rule.usesOldSelf) this.warnings.push(`${error.field}: ${error.message}`)
      else this.errors.push(error)
    }
  }

  #evaluate(rule: CompiledRule, node: SchemaNode, value: unknown, old: unknown, at: ValuePath): RuleOutcome {
    const { source, program, self } = rule
    const shown = source.message.trim() === '' ? source.rule.trim() : source.message.trim()
    const failed = (why: string): RuleOutcome => ({
      error: fieldErrors.invalid(at.label(), node.type, why),
      isFalse: false,
    })
    if (!program) return failed(`rule compile error: ${rule.failure}`)
    // Values are made within the evaluation: data that violates its format fails there.
    const bindings = { self: () => toValue(self, value), oldSelf: () => oldSelfOf(source, self, old) }
    const outcome = program.evaluate(bindings, { budget: Math.min(ruleCostMax, this.#budget) })
    this.#budget -= outcome.cost
    if (!outcome.ok) {
      const isExceeded = outcome.error.code === 'budget'
      if (isExceeded && this.#budget <= 0) {
        this.#isOver = true
        return failed('validation failed due to running out of cost budget, no further validation rules will be run')
      }
      if (isExceeded)
        return failed(
          `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
        )
      const { message } = outcome.error
      if (message.startsWith('no such overload'))
        return failed(
          `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`,
        )
      return failed(`${message} evaluating rule: ${shown}`)
    }
    if (outcome.value === true) return holds
    const detail = this.#messageOf(rule, bindings) ?? (source.message.trim() || `failed rule: ${source.rule.trim()}`)
    return { error: violation(rule, node, value, detail, at), isFalse: true }
  }

  /** Undefined: no expression, or no printable result. */
  #messageOf({ messageProgram }: CompiledRule, bindings: Readonly<Record<string, unknown>>): string | undefined {
    if (!messageProgram) return undefined
    const outcome = messageProgram.evaluate(bindings, { budget: Math.min(ruleCostMax, this.#budget) })
    this.#budget -= outcome.cost
    if (this.#budget <= 0) this.#isOver = true
    if (!outcome.ok || typeof outcome.value !== 'string') return undefined
    const text = outcome.value.trim()
    return text === '' || /[\r\n]/.test(text) || Buffer.byteLength(text) > messageBytesMax ? undefined : text
  }
}

function oldSelfOf({ optionalOldSelf }: RuleSource, self: CelType, old: unknown): unknown {
  const isThere = old !== undefined && old !== null
  if (!optionalOldSelf) return isThere ? toValue(self, old) : null
  return new Optional(isThere ? toValue(self, old) : undefined)
}

function violation(rule: CompiledRule, node: SchemaNode, value: unknown, detail: string, at: ValuePath): FieldError {
  let place = at
  for (const { name, isKey } of rule.fieldPath ?? []) place = isKey ? place.key(name) : place.field(name)
  const field = place.label()
  switch (rule.source.reason) {
    case 'FieldValueForbidden':
      return fieldErrors.forbidden(field, detail)
    case 'FieldValueRequired':
      return fieldErrors.required(field, detail)
    case 'FieldValueDuplicate':
      return isComposite(node)
        ? { reason: 'FieldValueDuplicate', field, message: 'Duplicate value' }
        : fieldErrors.duplicate(field, value)
    default:
      return isComposite(node) ? fieldErrors.invalidBare(field, detail) : fieldErrors.invalid(field, value, detail)
  }
}

/** Objects and lists are not printed. */
function isComposite({ type }: SchemaNode): boolean {
  return type === 'object' || type === 'array'
}
