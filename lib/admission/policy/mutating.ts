import { createLayConfiguration, type LayConfiguration } from '../../apply/index.ts'
import { awaited, type Clock, type Metrics, runSteps, type Steps } from '../../base/index.ts'
import { StatusError } from '../../object/index.ts'
import { withConversions } from '../../scheme/index.ts'
import { withCandidates } from '../candidates.ts'
import { changeObject } from '../changeobject.ts'
import { type ConditionMetrics, createConditionMetrics } from '../conditionmetrics.ts'
import { outOfBudgetText } from '../evaluate.ts'
import { type Candidate, isReview } from '../matching.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'
import { Invoked, type Reinvocation } from '../reinvocation.ts'
import type { ObjectVersions, ServedForm } from '../versions.ts'
import { type Invocation, invocationsOf } from './invocations.ts'
import { createMutatingMetrics, type MutatingMetrics, type PolicyErrorType } from './metrics.ts'
import {
  type MutatingRules,
  type MutatingSpec,
  type Mutation,
  MutationError,
  mutated,
  readMutatingRules,
} from './mutations.ts'
import type { ParamSources } from './params.ts'
import type { Binding, Policy } from './policy.ts'
import { type BoundPolicy, PolicySet, type PolicySetDependencies } from './policyset.ts'
import { PolicyRequest, type RequestDependencies } from './request.ts'
import { meetsConditions, openScope } from './scope.ts'

/** The current set of mutating policies. */
export function mutatingPolicies(dependencies: PolicySetDependencies): PolicySet<MutatingSpec, MutatingRules> {
  return new PolicySet(dependencies, readMutatingRules)
}

export interface MutatingPolicyDependencies extends RequestDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly policies: PolicySet<MutatingSpec, MutatingRules>
  /** Policies from files; absent: there are none. */
  readonly policiesFromFiles?: (() => PolicySet<MutatingSpec, MutatingRules>) | undefined
  readonly params: ParamSources
  readonly reinvocation: Reinvocation
  /** Undefined once all stored policies are loaded and compiled. */
  loading(): Promise<void> | undefined
}

/** Lets policies change the object one after the other, each the result of the one before it. */
export function createMutatingAdmissionPolicy(dependencies: MutatingPolicyDependencies): AdmissionPlugin {
  const { clock, loading, policies: stored, policiesFromFiles: fromFiles, metrics, reinvocation } = dependencies
  const changing: Changing = {
    ...dependencies,
    layConfiguration: createLayConfiguration(),
    checks: createMutatingMetrics(metrics),
    conditions: createConditionMetrics(metrics, 'policy', 'admit'),
  }
  const invocations = new WeakMap<AdmissionAttributes, Invoked>()

  function all(
    attributes: AdmissionAttributes,
    candidates: readonly Candidate<BoundPolicy<MutatingRules>>[],
  ): void | Promise<void> {
    const request = new PolicyRequest(attributes, dependencies)
    const invoked = invocations.get(attributes) ?? new Invoked()
    invocations.set(attributes, invoked)
    const round = reinvocation.of(attributes)
    const wanted = invocationsOf(candidates, request, dependencies)
    return runSteps(changeAll(wanted, request, { ...changing, invoked, round }))
  }
  const sources = { clock, loading, stored, fromFiles }
  return {
    name: 'MutatingAdmissionPolicy',
    handles: (operation) => operation !== 'DELETE',
    mutate(attributes) {
      if (isReview(attributes)) return undefined
      return withCandidates(sources, attributes, (candidates) => all(attributes, candidates))
    },
  }
}

interface Changing {
  readonly clock: Clock
  readonly versions: ObjectVersions
  readonly layConfiguration: LayConfiguration
  readonly checks: MutatingMetrics
  readonly conditions: ConditionMetrics
}

interface Run extends Changing {
  readonly invoked: Invoked
  readonly round: { readonly again: boolean; wanted: boolean }
}

interface Refusal {
  readonly policy: Policy<MutatingRules>
  readonly binding: Binding | undefined
  readonly why: string
  readonly isInvalid: boolean
}

type Asked = Exclude<Invocation<MutatingRules>, { misconfigured: string }>

function* changeAll(wanted: Steps<Invocation<MutatingRules>[]>, request: PolicyRequest, run: Run): Steps<void> {
  const { attributes, converted } = request
  const { invoked, round } = run
  const form: ServedForm = attributes
  const invocations = yield* wanted
  if (round.again && invoked.isOutdated(converted.text(form))) invoked.changed()
  const refusals: Refusal[] = []
  for (const invocation of invocations) {
    const { policy, binding } = invocation
    if ('misconfigured' in invocation) {
      refusals.push({ policy, binding, why: invocation.misconfigured, isInvalid: false })
      continue
    }
    const id = idOf(invocation)
    if (round.again && !invoked.isWanted(id)) continue
    const changed = yield* changeOnce(invocation, request, run, refusals)
    if (changed) {
      invoked.changed()
      round.wanted = true
    }
    if (policy.rules.reinvokes) invoked.noteCall(id)
  }
  if (invocations.some(({ policy }) => policy.rules.reinvokes)) invoked.leave(converted.text(form))
  const refused = refusals.filter(({ policy }) => !policy.ignoresFailure)
  if (refused.length > 0) throw denied(refused, attributes)
}

function idOf({ policy, binding, param }: Asked): string {
  const { namespace = '', name = '' } = param?.metadata ?? {}
  return JSON.stringify([policy.name, binding.name, namespace, name])
}

/** Runs all mutations of a policy with one parameter; a failed one does not stop the next. */
function* changeOnce(
  { policy, binding, form, param }: Asked,
  request: PolicyRequest,
  run: Run,
  refusals: Refusal[],
): Steps<boolean> {
  const { clock, checks, conditions } = run
  if (!request.attributes.object) return false
  const refuse = (why: string): void => void refusals.push({ policy, binding, why, isInvalid: true })
  if (policy.conditions.length > 0) {
    const scope = yield* openScope(policy, { form, param }, request)
    const meets = yield* meetsConditions(policy, scope, request, { clock, metrics: conditions })
    if (typeof meets === 'object') refuse(meets.why)
    if (meets !== true) return false
  }
  let isChanged = false
  for (const mutation of policy.rules.mutations) {
    const startMs = clock.monotonicMs()
    const result = yield* mutateOnce(mutation, policy, { form, param }, request, run)
    if (result.why !== undefined) refuse(result.why)
    isChanged ||= result.isChanged
    const seconds = (clock.monotonicMs() - startMs) / 1000
    checks.checked({ policy: policy.name, binding: binding.name, error: result.error }, seconds)
  }
  return isChanged
}

interface MutationResult {
  readonly isChanged: boolean
  readonly error: PolicyErrorType
  readonly why?: string
}

function* mutateOnce(
  { type, expression }: Mutation,
  policy: Policy<MutatingRules>,
  { form, param }: Pick<Asked, 'form' | 'param'>,
  request: PolicyRequest,
  run: Run,
): Steps<MutationResult> {
  const scope = yield* openScope(policy, { form, param }, request)
  let evaluated = scope.evaluate(expression)
  if (evaluated instanceof Promise) evaluated = yield* scope.evaluateLater(expression, evaluated)
  if (!evaluated.ok) {
    const why = evaluated.kind === 'out_of_budget' ? outOfBudgetText : evaluated.why
    return { isChanged: false, error: evaluated.kind, why }
  }
  const { value } = evaluated
  const { converted } = request
  try {
    const change = (): boolean => {
      const object = mutated(type, value, converted, form, run)
      return object !== undefined && changeObject(converted, form, object, run.versions)
    }
    const isChanged = yield* awaited(withConversions(change))
    if (isChanged) request.changed()
    return { isChanged, error: 'no_error' }
  } catch (error) {
    if (!(error instanceof MutationError)) throw error
    return { isChanged: false, error: 'invalid_error', why: error.message }
  }
}

function denied(refused: readonly Refusal[], attributes: AdmissionAttributes): StatusError {
  const texts = refused.map(({ policy, binding, why }) =>
    binding
      ? `policy '${policy.name}' with binding '${binding.name}' denied request: ${why}`
      : `policy "${policy.name}" denied request: ${why}`,
  )
  const { details } = refusal(attributes, '', texts.slice(0, causesMax).map((message) => ({ message }))) // biome-ignore format: one line
  const reason = refused[0]?.isInvalid ? 'Invalid' : 'Forbidden'
  return new StatusError(403, reason, texts[0] ?? '', details ? { details } : {})
}

/** Maximum number of causes in one Status. */
const causesMax = 100
