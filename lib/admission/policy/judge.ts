import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { Steps } from '../../base/index.ts'
import { types } from '../../cel/index.ts'
import { type Compiled, type Evaluated, outOfBudgetText } from '../evaluate.ts'
import type { PolicyErrorType } from './metrics.ts'
import type { ExpressionCompiler, Policy, PolicySpec } from './policy.ts'
import type { PolicyScope } from './scope.ts'

/** Checks and audit annotations of a validating policy. */
export interface ValidatingRules {
  readonly validations: readonly Validation[]
  readonly annotations: readonly { readonly key: string; readonly value: Compiled }[]
}

interface Validation {
  readonly expression: Compiled
  readonly message: Compiled | undefined
  /** The message when no expression makes one. */
  readonly text: string
  readonly reason: string
}

export type ValidatingSpec = PolicySpec & Pick<v1.ValidatingAdmissionPolicySpec, 'validations' | 'auditAnnotations'>

export function* readValidatingRules(
  { validations = [], auditAnnotations = [] }: ValidatingSpec,
  compiler: ExpressionCompiler,
): Steps<ValidatingRules> {
  const read: Validation[] = []
  for (const { expression, message = '', messageExpression = '', reason } of validations)
    read.push({
      expression: yield* compiler.expression(expression, types.bool),
      message: messageExpression === '' ? undefined : yield* compiler.message(messageExpression),
      text: message.trim() || `failed expression: ${expression.trim()}`,
      reason: reason ?? 'Invalid',
    })
  const annotations: { key: string; value: Compiled }[] = []
  for (const { key, valueExpression } of auditAnnotations)
    annotations.push({ key, value: yield* compiler.expression(valueExpression, [types.string, types.null]) })
  return { validations: read, annotations }
}

/** A rule that does not hold, or that can't be evaluated. */
export interface PolicyFinding {
  readonly message: string
  readonly reason: string
  readonly error: PolicyErrorType
  /** Index among the policy's validations; undefined for an audit annotation. */
  readonly index: number | undefined
}

export interface Judgement {
  readonly findings: readonly PolicyFinding[]
  readonly annotations: readonly (readonly [key: string, value: string])[]
}

const messageBytesMax = 5 * 1024

/** The first validation that does not hold, or not yet. */
interface Objection {
  readonly index: number
  readonly evaluated: Evaluated | Promise<unknown>
}

/**
 * Evaluates validations as far as they hold. Undefined: all do, and there is no more to evaluate. The result is for
 * `judge`: objections are rare, and what waits is, so that most policies need no steps.
 */
export function firstObjection({ rules }: Policy<ValidatingRules>, scope: PolicyScope): Objection | undefined {
  const { validations, annotations } = rules
  for (let index = 0; index < validations.length; index++) {
    const validation = validations[index]
    if (!validation) break
    const evaluated = scope.evaluate(validation.expression)
    if (evaluated instanceof Promise || !evaluated.ok || evaluated.value !== true) return { index, evaluated }
  }
  return annotations.length === 0 ? undefined : { index: validations.length, evaluated: held }
}

const held: Evaluated = Object.freeze({ ok: true, value: true })

/** Evaluates all rules of a policy. Errors are findings, whatever the failure policy is. */
export function* judge(policy: Policy<ValidatingRules>, scope: PolicyScope): Steps<Judgement> {
  const objection = firstObjection(policy, scope)
  return objection ? yield* judgeFrom(objection, policy, scope) : nothing
}

/** As judge, from the first objection on. */
export function* judgeFrom(first: Objection, { rules }: Policy<ValidatingRules>, scope: PolicyScope): Steps<Judgement> {
  let findings: PolicyFinding[] | undefined
  for (let { index } = first; index < rules.validations.length; index++) {
    const validation = rules.validations[index]
    if (!validation) break
    let evaluated = index === first.index ? first.evaluated : scope.evaluate(validation.expression)
    if (evaluated instanceof Promise) evaluated = yield* scope.evaluateLater(validation.expression, evaluated)
    if (!evaluated.ok && evaluated.kind === 'out_of_budget') return exhausted()
    if (evaluated.ok && evaluated.value === true) continue
    ;(findings ??= []).push(evaluated.ok ? refused(validation, index) : failed(evaluated, index))
  }
  if (findings?.some(({ error }) => error === 'no_error')) yield* findMessages(rules, findings, scope)
  if (rules.annotations.length === 0) return findings ? { findings, annotations: none } : nothing
  scope.meter.refill()
  const annotations: (readonly [string, string])[] = []
  for (const { key, value } of rules.annotations) {
    let evaluated = scope.evaluate(value)
    if (evaluated instanceof Promise) evaluated = yield* scope.evaluateLater(value, evaluated)
    if (!evaluated.ok && evaluated.kind === 'out_of_budget') return exhausted()
    if (!evaluated.ok) (findings ??= []).push(failed(evaluated, undefined))
    else if (typeof evaluated.value === 'string' && evaluated.value.trim() !== '')
      annotations.push([key, evaluated.value.trim()])
  }
  return { findings: findings ?? none, annotations }
}

const none: readonly never[] = []

/** No objections. */
export const nothing: Judgement = Object.freeze({ findings: none, annotations: none })

function exhausted(): Judgement {
  const finding: PolicyFinding = { message: outOfBudgetText, reason: 'Invalid', error: 'out_of_budget', index: 0 }
  return { findings: [finding], annotations: none }
}

function failed({ why, kind }: Extract<Evaluated, { why: string }>, index: number | undefined): PolicyFinding {
  return { message: why, reason: 'Invalid', error: kind, index }
}

function refused({ text, reason }: Validation, index: number): PolicyFinding {
  return { message: text, reason, error: 'no_error', index }
}

/** Only refusals need messages. */
function* findMessages({ validations }: ValidatingRules, findings: PolicyFinding[], scope: PolicyScope): Steps<void> {
  for (const [at, finding] of findings.entries()) {
    const { message } = (finding.error === 'no_error' && validations[finding.index ?? -1]) || {}
    if (!message) continue
    let evaluated = scope.evaluate(message)
    if (evaluated instanceof Promise) evaluated = yield* scope.evaluateLater(message, evaluated)
    if (evaluated.ok) {
      const text = typeof evaluated.value === 'string' ? evaluated.value.trim() : ''
      if (text !== '' && Buffer.byteLength(text) <= messageBytesMax && !text.includes('\n'))
        findings[at] = { ...finding, message: text }
    } else if (evaluated.kind === 'out_of_budget') {
      const told = `failed messageExpression: ${outOfBudgetText}`
      findings[at] = { ...finding, message: told, reason: 'Invalid', error: 'out_of_budget' }
    }
  }
}
