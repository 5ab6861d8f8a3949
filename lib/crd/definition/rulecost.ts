import type { WorkLimit } from '../../base/index.ts'
import { type CelType, CompileSlice, compile, type Environment, extendEnvironment, types } from '../../cel/index.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import { bytesMin, celTypeOf } from '../schema/celtypes.ts'
import { parseFieldPath } from '../schema/fieldpath.ts'
import type { RuleSource, SchemaNode } from '../schema/node.ts'

/** Maximum cost of one expression, over all values that a request can contain for it, and of all rules of a schema. */
const ruleCostMax = 10_000_000
const schemaCostMax = 100_000_000
const requestBytesMax = 3 * 1024 * 1024
/** Rules with a lower cost are not named as the reason for exceeding the schema's budget, nor more rules than this. */
const blamedCostMin = 1_000_000
const blamedMax = 4
/** Maximum sizes of the literal patterns of a schema's rules that are compiled for the check. */
const checkedPatternsMax = 10_000
const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)'

/** Expressions that the stored definition already has. */
export interface KnownExpressions {
  readonly rules: ReadonlySet<string>
  readonly messages: ReadonlySet<string>
}

/**
 * New expressions are compiled in the environment of the oldest release that has to read them, known ones in the
 * newest.
 */
interface RuleEnvironments {
  readonly fresh: Environment
  readonly stored: Environment
  readonly known: KnownExpressions
}

/** Checks the rules of a schema: each compiles, has the right type, and stays within the budget. */
export function checkSchemaRules(
  errors: FieldError[],
  root: SchemaNode,
  at: FieldPath,
  environments: RuleEnvironments,
  work: WorkLimit,
): void {
  if (!root.below.rules) return
  const check = new RuleCheck(errors, environments, checkRuleTexts(errors, root, at), work)
  check.visit(root, at, { cardinality: 1, isRoot: true, uncorrelatable: undefined })
  check.finish(at)
}

/** Checks the texts beside the rules. Answers the nodes with errors at or below them, whose rules are not compiled. */
export function checkRuleTexts(errors: FieldError[], root: SchemaNode, at: FieldPath): ReadonlySet<SchemaNode> {
  const faulty = new Set<SchemaNode>()
  const visit = (node: SchemaNode, here: FieldPath): void => {
    if (!node.below.rules) return
    const before = errors.length
    if (typeof node.additional === 'object') visit(node.additional, here.child('additionalProperties'))
    for (const [name, property] of node.below.ruled.toSorted(([a], [b]) => (a < b ? -1 : 1)))
      visit(property, here.child('properties').key(name))
    if (node.items) visit(node.items, here.child('items'))
    for (const [index, rule] of node.rules.entries()) {
      const ruleAt = here.child('x-kubernetes-validations').index(index)
      checkTexts(errors, rule, ruleAt)
      checkReason(errors, rule, ruleAt)
      checkFieldPath(errors, rule, node, ruleAt.child('fieldPath'))
    }
    if (errors.length > before) faulty.add(node)
  }
  visit(root, at)
  return faulty
}

interface Place {
  /** Maximum number of values of a request at this place; undefined: unbounded. */
  readonly cardinality: number | undefined
  readonly isRoot: boolean
  /** The list around, whose items can't be correlated. */
  readonly uncorrelatable: FieldPath | undefined
}

class RuleCheck {
  readonly #errors: FieldError[]
  readonly #environments: RuleEnvironments
  readonly #faulty: ReadonlySet<SchemaNode>
  readonly #costs: { readonly path: FieldPath; readonly cost: number }[] = []
  readonly #patternBudget = { left: checkedPatternsMax }
  readonly #work: WorkLimit
  readonly #slice = new CompileSlice()
  #total = 0

  constructor(errors: FieldError[], environments: RuleEnvironments, faulty: ReadonlySet<SchemaNode>, work: WorkLimit) {
    this.#work = work
    this.#errors = errors
    this.#environments = environments
    this.#faulty = faulty
  }

  visit(node: SchemaNode, at: FieldPath, place: Place): void {
    if (!node.below.rules) return
    if (node.rules.length > 0 && !this.#faulty.has(node)) this.#checkNode(node, at, place)
    const inner = (bound: number | undefined, uncorrelatable = place.uncorrelatable): Place => ({
      isRoot: false,
      uncorrelatable,
      cardinality: place.cardinality === undefined || bound === undefined ? undefined : place.cardinality * bound,
    })
    for (const name of [...node.properties.keys()].sort()) {
      const property = node.properties.get(name)
      if (property) this.visit(property, at.child('properties').key(name), inner(1))
    }
    if (typeof node.additional === 'object')
      this.visit(node.additional, at.child('additionalProperties'), inner(node.values.maxProperties))
    if (node.items)
      this.visit(
        node.items,
        at.child('items'),
        inner(node.values.maxItems, node.listType === 'map' ? place.uncorrelatable : at),
      )
  }

  finish(at: FieldPath): void {
    if (this.#total <= schemaCostMax) return
    const blamed = this.#costs.filter(({ cost }) => cost >= blamedCostMin).sort((a, b) => b.cost - a.cost)
    for (const { path } of blamed.slice(0, blamedMax)) {
      const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
      this.#errors.push(fieldErrors.forbidden(path, why))
    }
    const why = `x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ${factor(this.#total, schemaCostMax)} ${advice}`
    this.#errors.push(fieldErrors.forbidden(at, why))
  }

  #checkNode(node: SchemaNode, at: FieldPath, place: Place): void {
    const self = celTypeOf(node, place.isRoot || node.embedded) ?? types.dyn
    const { fresh, stored, known } = this.#environments
    const ofNew = environmentsOf(fresh, self)
    const ofKnown = environmentsOf(stored, self)
    // An unbounded list can have as many items as fit into a request.
    const cardinality = place.cardinality ?? Math.floor(requestBytesMax / (bytesMin(node) + 1))
    for (const [index, rule] of node.rules.entries()) {
      const here = at.child('x-kubernetes-validations').index(index)
      this.#checkExpressions(rule, here, {
        ofRule: (known.rules.has(rule.rule) ? ofKnown : ofNew)(rule),
        ofMessage: (known.messages.has(rule.messageExpression) ? ofKnown : ofNew)(rule),
        cardinality,
        uncorrelatable: place.uncorrelatable,
      })
      this.#slice.note(rule.rule)
      this.#slice.note(rule.messageExpression)
      if (this.#slice.isDue()) this.#work.check()
    }
  }

  #checkExpressions(
    rule: RuleSource,
    at: FieldPath,
    about: {
      readonly ofRule: Environment
      readonly ofMessage: Environment
      readonly cardinality: number
      readonly uncorrelatable: FieldPath | undefined
    },
  ): void {
    const errors = this.#errors
    const compiled = compile(about.ofRule, rule.rule, {
      expectedType: types.bool,
      patternBudget: this.#patternBudget,
    })
    const path = at.child('rule')
    if (!compiled.ok) {
      const why = compiled.code === 'type' ? 'cel expression must evaluate to a bool' : compiled.message
      errors.push(fieldErrors.invalid(path, shownRule(rule), why))
    } else {
      const usesOldSelf = compiled.program.variables.includes('oldSelf')
      if (rule.optionalOldSelf && !usesOldSelf) {
        const why = 'may not be set if oldSelf is not used in rule'
        errors.push(fieldErrors.invalid(at.child('optionalOldSelf'), true, why))
      }
      if (usesOldSelf && about.uncorrelatable) {
        const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${about.uncorrelatable}`
        errors.push(fieldErrors.invalid(path, rule.rule, why))
      }
      this.#spend('rule', compiled.costEstimate.max * about.cardinality, path)
    }
    if (rule.messageExpression.trim() === '') return
    const text = compile(about.ofMessage, rule.messageExpression, {
      expectedType: types.string,
      patternBudget: this.#patternBudget,
    })
    const textPath = at.child('messageExpression')
    if (text.ok) this.#spend('messageExpression', text.costEstimate.max * about.cardinality, textPath)
    else {
      const why =
        text.code === 'type' ? 'messageExpression must evaluate to a string' : `messageExpression ${text.message}`
      errors.push(fieldErrors.invalid(textPath, shownRule(rule), why))
    }
  }

  #spend(what: 'rule' | 'messageExpression', cost: number, path: FieldPath): void {
    this.#total += cost
    this.#costs.push({ path, cost })
    if (cost <= ruleCostMax) return
    const why = `estimated ${what} cost exceeds budget by factor of ${factor(cost, ruleCostMax)} ${advice}`
    this.#errors.push(fieldErrors.forbidden(path, why))
  }
}

/** The environments of a rule on values of a type, made on demand. */
function environmentsOf(base: Environment, self: CelType): (rule: RuleSource) => Environment {
  let plain: Environment | undefined
  let optional: Environment | undefined
  return ({ optionalOldSelf }) =>
    optionalOldSelf
      ? (optional ??= extendEnvironment(base, { variables: { self, oldSelf: types.optional(self) } }))
      : (plain ??= extendEnvironment(base, { variables: { self, oldSelf: self } }))
}

/** `more than 100x`, `12.3x`, `1.234567x`. */
function factor(cost: number, budget: number): string {
  const times = cost / budget
  if (times > 100) return 'more than 100x'
  return times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`
}

function checkTexts(errors: FieldError[], rule: RuleSource, at: FieldPath): void {
  const text = rule.rule.trim()
  const { message } = rule
  if (text === '') errors.push(fieldErrors.required(at.child('rule'), 'rule is not specified'))
  else if (message !== '' && message.trim() === '')
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must be non-empty if specified'))
  else if (/[\r\n]/.test(message.trim()))
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must not contain line breaks'))
  else if (/[\r\n]/.test(text) && message.trim() === '')
    errors.push(fieldErrors.required(at.child('message'), 'message must be specified if rule contains line breaks'))
  if (rule.messageExpression !== '' && rule.messageExpression.trim() === '')
    errors.push(fieldErrors.required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'))
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function checkReason(errors: FieldError[], { reason }: RuleSource, at: FieldPath): void {
  if (!reasons.includes(reason)) errors.push(fieldErrors.notSupported(at.child('reason'), reason, reasons))
}

function checkFieldPath(errors: FieldError[], { fieldPath }: RuleSource, node: SchemaNode, at: FieldPath): void {
  if (fieldPath === '') return
  if (fieldPath.trim() === '') errors.push(fieldErrors.invalid(at, fieldPath, 'must be non-empty if specified'))
  if (/[\r\n]/.test(fieldPath)) errors.push(fieldErrors.invalid(at, fieldPath, 'must not contain line breaks'))
  if (!parseFieldPath(fieldPath.trim(), node)) errors.push(fieldErrors.invalid(at, fieldPath, 'must be a valid path'))
}

/** The rule in errors: with the internal type's field names, in Go's JSON. */
function shownRule(rule: RuleSource): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message,
    MessageExpression: rule.messageExpression,
    Reason: rule.reason === 'FieldValueInvalid' ? null : rule.reason,
    FieldPath: rule.fieldPath,
    OptionalOldSelf: rule.optionalOldSelf ? true : null,
  }
}
