import { createLayConfiguration } from '../../apply/index.ts'
import { awaited, type Steps } from '../../base/index.ts'
import { perCallLimit } from '../../cel/index.ts'
import { createPolicyEnvironments } from '../../kinds/index.ts'
import { StatusError } from '../../object/index.ts'
import { changeObject } from '../changeobject.ts'
import { conditionsBudget } from '../conditions.ts'
import {
  authorizeNobody,
  type DraftFinding,
  type DraftRequest,
  type DraftVerdict,
  draftClock,
  draftVersions,
  faultOf,
} from '../draft.ts'
import { type Compiled, CostMeter, type Evaluated, evaluate } from '../evaluate.ts'
import { MatchIndex } from '../matching.ts'
import { isSelected } from '../selecting.ts'
import { judge, readValidatingRules, type ValidatingSpec } from './judge.ts'
import { type MutatingRules, type MutatingSpec, MutationError, mutated, readMutatingRules } from './mutations.ts'
import { compilePolicy, type Policy, type PolicySpec } from './policy.ts'
import { PolicyRequest } from './request.ts'
import { openScope, type PolicyScope } from './scope.ts'

/** A policy tried without its bindings. */
interface DraftReport {
  /** `unselected`: its constraints don't select the request; `unmet`: a match condition does not hold. */
  readonly verdict: 'allowed' | 'refused' | 'unselected' | 'unmet'
  /** Those of an unselected request, too. */
  readonly findings: readonly DraftFinding[]
}

const environmentsOf = {
  validating: createPolicyEnvironments({ patches: false }),
  mutating: createPolicyEnvironments({ patches: true }),
}

/** Evaluates one expression of a policy with the given variables. */
export function* tryExpression(
  text: string,
  variables: PolicySpec['variables'],
  request: DraftRequest,
): Steps<{ readonly evaluated: Evaluated; readonly cost: number }> {
  const policy = yield* compilePolicy(
    'draft',
    { paramKind: {}, ...(variables ? { variables } : {}) },
    (_spec, compiler) => compiler.expression(text),
    { environments: environmentsOf.mutating, clock: draftClock },
  )
  const scope = yield* recorded(policy, request, requestOf(request))
  const evaluated = yield* scope.complete(policy.rules)
  return { evaluated, cost: scope.costOf(policy.rules) }
}

/** Never throws for the content of the policy. */
export function* tryValidatingPolicy(spec: ValidatingSpec, draft: DraftRequest): Steps<DraftReport> {
  const environments = environmentsOf.validating
  const policy = yield* compilePolicy('draft', spec, readValidatingRules, { environments, clock: draftClock })
  const begun = yield* begin(policy, spec, draft)
  if (begun.meetsConditions !== true) return reportOf(policy, begun, begun.findings)
  const scope = yield* recorded(policy, draft, begun.request)
  const judgement = yield* judge(policy, scope)
  const found = new Map(judgement.findings.map((finding) => [finding.index, finding]))
  const rules = policy.rules.validations.map((validation, index): DraftFinding => {
    const finding = found.get(index)
    const isRefusal = finding?.error === 'no_error'
    const told = isRefusal ? { text: finding.message, reason: finding.reason } : {}
    const messageFault = isRefusal && validation.message ? faultOf(scope.outcomeOf(validation.message)) : ''
    const faults = messageFault === '' ? {} : { text: `${finding?.message} (messageExpression: ${messageFault})` }
    return { ...scope.finding(`validations[${index}]`, validation.expression, 'rule'), ...told, ...faults }
  })
  const annotations = policy.rules.annotations.map(({ key, value }) =>
    scope.finding(`auditAnnotations[${key}]`, value, 'value'),
  )
  return reportOf(policy, begun, [...begun.findings, ...rules, ...annotations])
}

/** Changes the object of the request. Never throws for the content of the policy. */
export function* tryMutatingPolicy(spec: MutatingSpec, draft: DraftRequest): Steps<DraftReport> {
  const environments = environmentsOf.mutating
  const policy = yield* compilePolicy('draft', spec, readMutatingRules, { environments, clock: draftClock })
  const begun = yield* begin(policy, spec, draft)
  if (begun.meetsConditions !== true) return reportOf(policy, begun, begun.findings)
  const findings = [...begun.findings]
  for (const [index, mutation] of policy.rules.mutations.entries()) {
    // Each reads the result of the one before it, and has a budget of its own.
    const scope = yield* recorded(policy, draft, begun.request)
    const evaluated = yield* scope.complete(mutation.expression)
    const finding = scope.finding(`mutations[${index}]`, mutation.expression, 'change')
    findings.push(evaluated.ok ? { ...finding, ...changed(mutation, evaluated.value, draft, begun.request) } : finding)
  }
  return reportOf(policy, begun, findings)
}

function changed(
  { type }: MutatingRules['mutations'][number],
  value: Extract<Evaluated, { ok: true }>['value'],
  draft: DraftRequest,
  request: PolicyRequest,
): Pick<DraftFinding, 'verdict' | 'text'> {
  const { converted, attributes } = request
  const versions = draftVersions(draft)
  try {
    const object = mutated(type, value, converted, attributes, { versions, layConfiguration })
    const isChanged = object !== undefined && changeObject(converted, attributes, object, versions)
    if (isChanged) request.changed()
    return { verdict: isChanged ? 'changes' : 'keeps', text: '' }
  } catch (error) {
    if (error instanceof MutationError || error instanceof StatusError) return { verdict: 'fails', text: error.message }
    throw error
  }
}

const layConfiguration = createLayConfiguration()

interface Begun {
  readonly request: PolicyRequest
  readonly isSelected: boolean
  /** Undefined: it can't be determined. */
  readonly meetsConditions: boolean | undefined
  readonly findings: readonly DraftFinding[]
}

function reportOf(policy: Policy<unknown>, begun: Begun, findings: readonly DraftFinding[]): DraftReport {
  return { verdict: verdictOf(policy, begun, findings), findings }
}

function verdictOf(
  { ignoresFailure }: Policy<unknown>,
  { isSelected, meetsConditions }: Begun,
  findings: readonly DraftFinding[],
): DraftReport['verdict'] {
  if (!isSelected) return 'unselected'
  if (meetsConditions === false) return 'unmet'
  const objects = ({ verdict }: DraftFinding): boolean =>
    verdict === 'refuses' || (verdict === 'fails' && !ignoresFailure)
  return findings.some(objects) ? 'refused' : 'allowed'
}

/** Constraints and match conditions. */
function* begin(policy: Policy<unknown>, spec: PolicySpec, draft: DraftRequest): Steps<Begun> {
  const { attributes } = draft
  const request = requestOf(draft)
  const index = new MatchIndex([{ item: policy, match: policy.match }], draftVersions(draft))
  const isConcerned = index.candidates(attributes).length > 0
  const isWanted = isConcerned && (yield* awaited(isSelected(policy.selectors, attributes, request.findNamespace)))
  const { bindings } = yield* openScope(policy, { form: attributes, param: draft.params }, request)
  // As the server, which gives conditions no namespace.
  const scope = new Recorder({ ...bindings, namespaceObject: null }, new CostMeter(request.cost, conditionsBudget))
  const findings: DraftFinding[] = []
  for (const [at, condition] of policy.conditions.entries()) {
    yield* scope.complete(condition)
    const name = spec.matchConditions?.[at]?.name ?? String(at)
    findings.push(scope.finding(`matchConditions[${name}]`, condition, 'condition'))
  }
  if (policy.broken !== undefined) findings.push(brokenFinding(policy.broken))
  const meetsConditions = findings.some(({ verdict }) => verdict === 'unused')
    ? false
    : findings.some(({ verdict }) => verdict === 'fails')
      ? undefined
      : true
  return { request, isSelected: isWanted, meetsConditions, findings }
}

function brokenFinding(why: string): DraftFinding {
  return { place: 'matchConstraints', expression: '', verdict: 'fails', text: why, cost: 0, costMax: 0 }
}

function* recorded(policy: Policy<unknown>, draft: DraftRequest, request: PolicyRequest): Steps<Recorder> {
  const { bindings, meter } = yield* openScope(policy, { form: draft.attributes, param: draft.params }, request)
  return new Recorder(bindings, meter)
}

/** A scope that remembers what became of each expression, and its cost. */
class Recorder implements PolicyScope {
  readonly bindings: PolicyScope['bindings']
  readonly meter: CostMeter
  readonly #outcomes = new Map<Compiled, Evaluated>()
  readonly #costs = new Map<Compiled, number>()

  constructor(bindings: PolicyScope['bindings'], meter: CostMeter) {
    this.bindings = bindings
    this.meter = meter
  }

  evaluate(compiled: Compiled): Evaluated | Promise<unknown> {
    const { left } = this.meter
    const evaluated = evaluate(compiled, this.bindings, this.meter)
    this.#costs.set(compiled, this.costOf(compiled) + left - this.meter.left)
    if (!(evaluated instanceof Promise)) this.#outcomes.set(compiled, evaluated)
    return evaluated
  }

  *evaluateLater(compiled: Compiled, first: Promise<unknown>): Steps<Evaluated> {
    for (let waiting = first; ; ) {
      yield waiting
      const evaluated = this.evaluate(compiled)
      if (!(evaluated instanceof Promise)) return evaluated
      waiting = evaluated
    }
  }

  *complete(compiled: Compiled): Steps<Evaluated> {
    const evaluated = this.evaluate(compiled)
    return evaluated instanceof Promise ? yield* this.evaluateLater(compiled, evaluated) : evaluated
  }

  costOf(compiled: Compiled): number {
    return this.#costs.get(compiled) ?? 0
  }

  outcomeOf(compiled: Compiled): Evaluated | undefined {
    return this.#outcomes.get(compiled)
  }

  finding(place: string, compiled: Compiled, as: keyof typeof verdicts): DraftFinding {
    const outcome = this.outcomeOf(compiled)
    const verdict = !outcome ? 'unused' : outcome.ok ? verdicts[as](outcome.value) : 'fails'
    const text = verdict === 'value' && outcome?.ok ? String(outcome.value) : faultOf(outcome)
    return { place, expression: compiled.text, verdict, text, cost: this.costOf(compiled), costMax: perCallLimit }
  }
}

const verdicts: Readonly<Record<'rule' | 'condition' | 'value' | 'change', (value: unknown) => DraftVerdict>> = {
  rule: (value) => (value === true ? 'holds' : 'refuses'),
  condition: (value) => (value === true ? 'holds' : 'unused'),
  value: () => 'value',
  change: () => 'changes',
}

function requestOf(draft: DraftRequest): PolicyRequest {
  // Expressions read the namespace as data; a partial one is enough.
  const namespace = (draft.namespace ?? undefined) as ReturnType<PolicyRequest['findNamespace']>
  return new PolicyRequest(draft.attributes, {
    clock: draftClock,
    versions: draftVersions(draft),
    namespace: () => namespace,
    authorize: () => authorizeNobody(),
  })
}
