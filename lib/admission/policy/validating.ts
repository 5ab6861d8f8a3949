import { type Clock, type Metrics, runSteps, type Steps } from '../../base/index.ts'
import { writeJson } from '../../codec/index.ts'
import { StatusError, type StatusReason } from '../../object/index.ts'
import { withCandidates } from '../candidates.ts'
import { type ConditionMetrics, createConditionMetrics } from '../conditionmetrics.ts'
import { type Candidate, isReview } from '../matching.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { PolicyAuditAnnotations } from './auditannotations.ts'
import { type Invocation, invocationsOf } from './invocations.ts'
import {
  firstObjection,
  type Judgement,
  judge,
  judgeFrom,
  nothing,
  type PolicyFinding,
  readValidatingRules,
  type ValidatingRules,
  type ValidatingSpec,
} from './judge.ts'
import { createValidatingMetrics, type ValidatingMetrics } from './metrics.ts'
import type { ParamSources } from './params.ts'
import type { Binding, Policy } from './policy.ts'
import { type BoundPolicy, PolicySet, type PolicySetDependencies } from './policyset.ts'
import { PolicyRequest, type RequestDependencies } from './request.ts'
import { meetsConditions, openScope, openSimpleScope } from './scope.ts'

export interface ValidatingPolicyDependencies extends RequestDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly policies: PolicySet<ValidatingSpec, ValidatingRules>
  /** Policies from files; absent: there are none. */
  readonly policiesFromFiles?: (() => PolicySet<ValidatingSpec, ValidatingRules>) | undefined
  readonly params: ParamSources
  /** Undefined once all stored policies are loaded and compiled. */
  loading(): Promise<void> | undefined
}

/** The current set of validating policies. */
export function validatingPolicies(dependencies: PolicySetDependencies): PolicySet<ValidatingSpec, ValidatingRules> {
  return new PolicySet(dependencies, readValidatingRules)
}

/**
 * Refuses, warns and writes audit annotations for violations, as the policies' bindings demand. The first refusal
 * counts.
 */
export function createValidatingAdmissionPolicy(dependencies: ValidatingPolicyDependencies): AdmissionPlugin {
  const { clock, loading, policies: stored, policiesFromFiles: fromFiles, metrics } = dependencies
  const checking: Checking = {
    ...dependencies,
    checks: createValidatingMetrics(metrics),
    conditions: createConditionMetrics(metrics, 'policy', 'validate'),
  }
  type Candidates = readonly Candidate<BoundPolicy<ValidatingRules>>[]
  const all = (attributes: AdmissionAttributes, candidates: Candidates): void | Promise<void> => {
    const request = new PolicyRequest(attributes, dependencies)
    return runSteps(checkAll(invocationsOf(candidates, request, dependencies), request, checking))
  }
  const sources = { clock, loading, stored, fromFiles }
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: () => true,
    validate(attributes) {
      if (isReview(attributes)) return undefined
      return withCandidates(sources, attributes, (candidates) => all(attributes, candidates))
    },
  }
}

interface Checking {
  readonly clock: Clock
  readonly checks: ValidatingMetrics
  readonly conditions: ConditionMetrics
}

/**
 * Cost units, some 50 µs, of policies that need no reading of the clock between them: it costs as much as a simple
 * policy, and the smallest bucket of durations that matters is 1 ms.
 */
const timedCost = 1000
/** Cost units of the work around the expressions of a policy. */
const policyCost = 20

function* checkAll(
  wanted: Steps<Invocation<ValidatingRules>[]>,
  request: PolicyRequest,
  checking: Checking,
): Steps<void> {
  const invocations = yield* wanted
  const { attributes } = request
  let denial: StatusError | undefined
  let annotations: PolicyAuditAnnotations | undefined
  let policy: Policy<ValidatingRules> | undefined
  let startMs = checking.clock.monotonicMs()
  let costSince = 0
  for (const invocation of invocations) {
    if (invocation.policy !== policy) {
      annotations?.publish(attributes)
      annotations = undefined
      policy = invocation.policy
    }
    if ('misconfigured' in invocation) {
      if (!policy.ignoresFailure) denial ??= denied(invocation, invocation.misconfigured, 'Invalid', attributes)
      continue
    }
    const scope = policy.conditions.length === 0 ? openSimpleScope(policy, invocation, request) : undefined
    const objection = scope && firstObjection(policy, scope)
    const judgement = !scope
      ? yield* judged(invocation, request, checking)
      : objection
        ? yield* judgeFrom(objection, policy, scope)
        : nothing
    costSince += scope ? scope.meter.spent + policyCost : timedCost
    if (judgement === nothing && costSince < timedCost) continue
    const endMs = checking.clock.monotonicMs()
    const seconds = (endMs - startMs) / 1000
    startMs = endMs
    costSince = 0
    for (const [key, value] of judgement.annotations)
      (annotations ??= new PolicyAuditAnnotations(policy.name)).add(key, value)
    for (const finding of judgement.findings) {
      const refused = enforce(
        finding,
        invocation,
        attributes,
        (action) =>
        checking.checks.checked({ policy: invocation.policy.name, binding: invocation.binding.name, error: finding.error }, action, seconds), // biome-ignore format: one line
      )
      if (refused) denial ??= denied(invocation, finding.message, finding.reason, attributes)
    }
  }
  annotations?.publish(attributes)
  if (denial) throw denial
}

function* judged(
  { policy, form, param }: Exclude<Invocation<ValidatingRules>, { misconfigured: string }>,
  request: PolicyRequest,
  { clock, conditions }: Checking,
): Steps<Judgement> {
  const scope = yield* openScope(policy, { form, param }, request)
  const meets =
    policy.conditions.length === 0 || (yield* meetsConditions(policy, scope, request, { clock, metrics: conditions }))
  if (meets === false) return nothing
  if (meets === true) return yield* judge(policy, scope)
  const finding: PolicyFinding = { message: meets.why, reason: 'Invalid', error: 'invalid_error', index: 0 }
  return { findings: [finding], annotations: [] }
}

type Check = { readonly policy: Policy<ValidatingRules>; readonly binding: Binding }

/** True: the request is refused. */
function enforce(
  finding: PolicyFinding,
  { policy, binding }: Check,
  attributes: AdmissionAttributes,
  count: (action: 'allow' | 'deny' | 'audit' | 'warn') => void,
): boolean {
  if (finding.error !== 'no_error' && policy.ignoresFailure) {
    count('allow')
    return false
  }
  // A failed audit annotation refuses, whatever the binding's actions are.
  const actions = finding.index === undefined ? ['Deny'] : binding.actions
  let isRefused = false
  for (const action of actions) {
    if (action === 'Deny') {
      isRefused = true
      count('deny')
    } else if (action === 'Warn') {
      const whose = `'${policy.name}' with binding '${binding.name}'`
      attributes.warn(`Validation failed for ValidatingAdmissionPolicy ${whose}: ${finding.message}`)
      count('warn')
    } else if (action === 'Audit') {
      attributes.annotate(
        'validation.policy.admission.k8s.io/validation_failure',
        failureText(finding, policy, binding),
      )
      count('audit')
    }
  }
  return isRefused
}

function failureText({ message, index }: PolicyFinding, policy: Policy<unknown>, binding: Binding): string {
  const { name, actions } = binding
  return writeJson([{ message, policy: policy.name, binding: name, expressionIndex: index ?? 0, validationActions: actions }]) // biome-ignore format: one line
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
}

function denied(
  { policy, binding }: { readonly policy: Policy<unknown>; readonly binding: Binding | undefined },
  message: string,
  reason: string,
  attributes: AdmissionAttributes,
): StatusError {
  const whose = binding ? `'${policy.name}' with binding '${binding.name}'` : `'${policy.name}'`
  const told = `ValidatingAdmissionPolicy ${whose} denied request: ${message}`
  const { message: whole, details } = refusal(attributes, told, [{ message: told }])
  return new StatusError(codes[reason] ?? 422, reason as StatusReason, whole, details ? { details } : {})
}
