import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { awaited, Pauses, type Steps } from '../../base/index.ts'
import { type Environment, perCallLimit } from '../../cel/index.ts'
import { authorizerBindings, conditionsBudget, conditionsEnvironment } from '../conditions.ts'
import { ConvertedObjects } from '../convertedobjects.ts'
import { authorizeNobody, type DraftFinding, type DraftRequest, draftClock, draftVersions, faultOf } from '../draft.ts'
import { type Compiled, CostMeter, evaluate, newRequestCost } from '../evaluate.ts'
import { type Candidate, isExempt } from '../matching.ts'
import { admissionRequest } from '../review.ts'
import { isSelected } from '../selecting.ts'
import { type AdmissionHook, HookSet } from './hook.ts'
import { reviewBody } from './reviewbody.ts'

/** A webhook of a draft, and what the server would do with it. */
export interface DraftHook {
  readonly name: string
  /**
   * `exempt`: webhooks are never asked about such objects; `unselected`: its rules or selectors exclude the request;
   * `unmet`: a condition excludes it; `refused`: a condition fails, and the failure policy refuses the request then;
   * `ignored`: the same with a policy that skips the webhook; `invalid`: the server would not store it.
   */
  readonly verdict: 'called' | 'exempt' | 'unselected' | 'unmet' | 'refused' | 'ignored' | 'invalid'
  /** Its match conditions, unless it is not selected; of an invalid one the problem. */
  readonly findings: readonly DraftFinding[]
  /** The JSON of the AdmissionReview for the webhook; undefined: it would not be called. */
  readonly review: string | undefined
}

type Webhook = v1.MutatingWebhook | v1.ValidatingWebhook

/** In the place of the id that each call has. */
const reviewUid = '00000000-0000-0000-0000-000000000000'

/**
 * Decides about the webhooks of one configuration, in their order, and calls none. Throws TypeError for a webhook with
 * fields of wrong types.
 */
export function* tryWebhooks(webhooks: readonly Webhook[], draft: DraftRequest): Steps<DraftHook[]> {
  const hooks: DraftHook[] = []
  for (const webhook of webhooks) hooks.push({ name: webhook.name, ...(yield* tryWebhook(webhook, draft)) })
  return hooks
}

const environment = ((): (() => Environment) => {
  let made: Environment | undefined
  return () => (made ??= conditionsEnvironment())
})()

function* tryWebhook(webhook: Webhook, draft: DraftRequest): Steps<Omit<DraftHook, 'name'>> {
  const { attributes } = draft
  const nothing = { findings: [], review: undefined }
  if (isExempt(attributes)) return { verdict: 'exempt', ...nothing }
  const hooks = new HookSet(draftVersions(draft), environment)
  try {
    // A configuration of its own: the index finds the webhooks whose rules concern the request.
    hooks.set({ apiVersion: '', kind: '', metadata: { name: 'draft' }, webhooks: [webhook as v1.MutatingWebhook] })
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    const problem = { place: 'selectors', expression: '', text: error.message, cost: 0, costMax: 0 }
    return { verdict: 'invalid', findings: [{ ...problem, verdict: 'fails' }], review: undefined }
  }
  const [candidate] = hooks.index.candidates(attributes)
  if (!candidate) return { verdict: 'unselected', ...nothing }
  // Selectors read the labels of a namespace, which a partial one has, too.
  const find = () => (draft.namespace ?? undefined) as ReturnType<Parameters<typeof isSelected>[2]>
  if (!(yield* awaited(isSelected(candidate.item.selectors, attributes, find))))
    return { verdict: 'unselected', ...nothing }
  const converted = new ConvertedObjects(attributes, draftVersions(draft))
  const findings = yield* tryConditions(webhook, candidate, converted)
  const verdict = verdictOf(findings, candidate.item)
  const review = verdict === 'called' ? reviewBody(candidate.item, converted, candidate.form, reviewUid) : undefined
  return { verdict, findings, review }
}

function* tryConditions(
  { matchConditions = [] }: Webhook,
  { item: { conditions }, form }: Candidate<AdmissionHook>,
  converted: ConvertedObjects,
): Steps<DraftFinding[]> {
  const { attributes } = converted
  const bindings = {
    object: converted.object(form) ?? null,
    oldObject: converted.oldObject(form) ?? null,
    request: admissionRequest(attributes, form),
    ...authorizerBindings(attributes, () => authorizeNobody()),
  }
  const meter = new CostMeter(newRequestCost(new Pauses(draftClock)), conditionsBudget)
  const findings: DraftFinding[] = []
  for (const [at, compiled] of (yield* conditions.compiled(draftClock)).entries()) {
    const place = `matchConditions[${matchConditions[at]?.name ?? at}]`
    findings.push({ place, ...(yield* tryCondition(compiled, bindings, meter)) })
  }
  return findings
}

function* tryCondition(
  compiled: Compiled,
  bindings: Readonly<Record<string, unknown>>,
  meter: CostMeter,
): Steps<Omit<DraftFinding, 'place'>> {
  const { left } = meter
  let evaluated = evaluate(compiled, bindings, meter)
  while (evaluated instanceof Promise) {
    yield evaluated
    evaluated = evaluate(compiled, bindings, meter)
  }
  const verdict = !evaluated.ok ? 'fails' : evaluated.value === true ? 'holds' : 'unused'
  return {
    expression: compiled.text,
    verdict,
    text: faultOf(evaluated),
    cost: left - meter.left,
    costMax: perCallLimit,
  }
}

/** A false condition decides, whatever the results of the others. */
function verdictOf(findings: readonly DraftFinding[], { ignoresFailure }: AdmissionHook): DraftHook['verdict'] {
  if (findings.some(({ verdict }) => verdict === 'unused')) return 'unmet'
  if (findings.some(({ verdict }) => verdict === 'fails')) return ignoresFailure ? 'ignored' : 'refused'
  return 'called'
}
