import type { Clock } from '../../base/index.ts'
import {
  type ApiObject,
  copyObject,
  fieldErrors,
  formatTime,
  type LabelSelectorObject,
  labelSelectorFromObject,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import {
  checkPreconditions,
  listObjects,
  type Registry,
  type ResourceRegistry,
  type WriteContext,
} from '../../registry/index.ts'
import { type Call, checkDeleteOptions, type DeleteRequestOptions, type RawDeleteOptions } from '../../request/index.ts'
import { writeContext } from '../request/write.ts'
import { type PodCondition, readPodAction, replaced, succeed, withCondition } from './podaction.ts'
import type { VirtualHandler } from './virtualhandler.ts'

interface Budget extends ApiObject {
  spec?: { selector?: LabelSelectorObject; unhealthyPodEvictionPolicy?: string }
  status?: BudgetStatus
}

interface BudgetStatus {
  observedGeneration?: number
  disruptionsAllowed?: number
  currentHealthy?: number
  desiredHealthy?: number
  disruptedPods?: Record<string, string>
  conditions?: (PodCondition & { observedGeneration?: number })[]
}

const gvk = { group: 'policy', version: 'v1', kind: 'Eviction' }
const budgetsResource = { group: 'policy', resource: 'poddisruptionbudgets' }
const disruptedPodsMax = 2000
const tooManyText = "Cannot evict pod as it would violate the pod's disruption budget."
const severalText = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

/** POST to a pod's `eviction`: deletes the pod unless a disruption budget forbids it. */
export function createEvictionHandler({
  registry,
  clock,
  gate = () => false,
}: {
  registry: Registry
  clock: Clock
  /** True when a feature gate is on. */
  gate?(name: string): boolean
}): VirtualHandler {
  return {
    gvr: { group: '', version: 'v1', resource: 'pods' },
    subresource: 'eviction',
    verbs: ['create'],
    namespaced: true,
    named: true,
    async handle(call, kit) {
      const { object, options } = await readPodAction(call, kit, gvk, { resource: 'pods', subresource: 'eviction' })
      const pods = registry.resource({ group: '', resource: 'pods' })
      const budgets = registry.resource(budgetsResource)
      if (!pods) throw statusErrors.noSuchResource()
      const raw = (object['deleteOptions'] ?? {}) as RawDeleteOptions
      if (gate('AllowUnsafeMalformedObjectDeletion')) refuseUnsafe(raw, call.info.name)
      const given = checkDeleteOptions(raw)
      const dryRun = options.dryRun || given.dryRun
      const context = writeContext(call, dryRun)
      await evict({ pods, budgets, clock, context }, call, { ...given, dryRun })
      await succeed(call, kit)
    },
  }
}

/** An eviction has to read the pod. Throws 422. */
function refuseUnsafe({ ignoreStoreReadErrorWithClusterBreakingPotential }: RawDeleteOptions, name: string): void {
  if (!ignoreStoreReadErrorWithClusterBreakingPotential) return
  const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential'
  const why = 'can not be set for pod eviction, try after removing the option'
  throw statusErrors.invalid(gvk, name, [fieldErrors.invalid(field, true, why)])
}

interface Eviction {
  readonly pods: ResourceRegistry
  readonly budgets: ResourceRegistry | undefined
  readonly clock: Clock
  readonly context: WriteContext
}

/** Maximum number of attempts: a decision is valid only for the pod that was read, and a changed pod is read again. */
const looksMax = 8

async function evict(eviction: Eviction, call: Call, options: DeleteRequestOptions): Promise<void> {
  const isOwn = options.preconditions?.resourceVersion === undefined
  for (let looks = 1; ; looks++) {
    const pod = await podOf(eviction.pods, call)
    const decided = await decide(eviction, pod)
    try {
      return await remove(eviction, pod, withPreconditions(options, pod, decided.asSeen && isOwn))
    } catch (error) {
      if (!decided.asSeen || !isOwn || !(error instanceof StatusError && error.reason === 'Conflict')) throw error
      // The pod may be healthy by now, and then it needs the budget.
      if (decided.budget !== undefined) throw refusal(stillProcessed(decided.budget), 10)
      if (looks >= looksMax) throw error
    }
  }
}

/**
 * Decides whether deletion requires this resourceVersion of the pod, and names the budget that allowed it. Throws when
 * the pod has to stay.
 */
async function decide(
  { budgets, context, clock }: Eviction,
  pod: ApiObject,
): Promise<{ asSeen: boolean; budget?: string }> {
  if (isIgnorable(pod)) return { asSeen: statusOf(pod).phase === 'Pending' && !pod.metadata.deletionTimestamp }
  const budget = budgets && (await budgetOf(budgets, pod))
  if (!budgets || !budget) return { asSeen: false }
  const { name = '' } = budget.metadata
  if (isUnhealthyAndFree(pod, budget)) return { asSeen: true, budget: name }
  await take(budgets, budget, pod, context, clock)
  return { asSeen: false, budget: name }
}

/** Requires the deletion of exactly that pod. */
function withPreconditions(
  options: DeleteRequestOptions,
  { metadata }: ApiObject,
  asSeen: boolean,
): DeleteRequestOptions {
  const { uid, resourceVersion } = metadata
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(asSeen && resourceVersion !== undefined ? { resourceVersion } : {}),
    ...options.preconditions,
  }
  return { ...options, preconditions }
}

async function podOf(pods: ResourceRegistry, { info: { namespace, name } }: Call): Promise<ApiObject> {
  const { entry } = await pods.cache.get(pods.target(namespace, name).key, { at: { kind: 'latest' } })
  if (!entry) throw statusErrors.notFound(pods.definition.gvr, name)
  return entry.object()
}

function statusOf(pod: ApiObject): { phase?: string; conditions?: PodCondition[] } {
  return (pod['status'] ?? {}) as { phase?: string; conditions?: PodCondition[] }
}

/** A pod that doesn't run or is being deleted needs no budget. */
function isIgnorable(pod: ApiObject): boolean {
  const { phase = '' } = statusOf(pod)
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined
}

function isReady(pod: ApiObject): boolean {
  return statusOf(pod).conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

/** The pod's budget, if it has one. Throws where it has several. */
async function budgetOf(budgets: ResourceRegistry, { metadata }: ApiObject): Promise<Budget | undefined> {
  const { namespace = '', labels = {} } = metadata
  const all: Budget[] = await listObjects(budgets, namespace, { at: 'latest' })
  const matching = all.filter(({ spec }) => selects(spec?.selector, labels))
  if (matching.length > 1) throw new StatusError(500, '', severalText)
  return matching[0]
}

/** An invalid selector selects nothing: otherwise one such budget would protect every pod of its namespace. */
function selects(selector: LabelSelectorObject | undefined, labels: Readonly<Record<string, string>>): boolean {
  try {
    return labelSelectorFromObject(selector).matches(labels)
  } catch {
    return false
  }
}

/** Charges the eviction to the budget. Throws 429 when it is exhausted. */
async function take(
  budgets: ResourceRegistry,
  { metadata }: Budget,
  pod: ApiObject,
  context: WriteContext,
  clock: Clock,
): Promise<void> {
  const { namespace = '', name = '' } = metadata
  await budgets.update(
    budgets.target(namespace, name),
    {
      subresource: 'status',
      transform(existing) {
        if (!existing) throw statusErrors.notFound(budgets.definition.gvr, name)
        return decremented(copyObject(existing.object), pod.metadata.name ?? '', formatTime(clock.now()))
      },
    },
    context,
  )
}

/** A pod that isn't ready needs no budget, when the budget's policy says so or enough others are healthy. */
function isUnhealthyAndFree(pod: ApiObject, { spec, status }: Budget): boolean {
  if (isReady(pod)) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {}
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

function decremented(budget: Budget, pod: string, now: string): ApiObject {
  const status = (budget.status ??= {})
  const { name = '', generation = 0 } = budget.metadata
  const { observedGeneration = 0, disruptionsAllowed = 0 } = status
  if (observedGeneration < generation) throw refusal(stillProcessed(name), 10)
  if (disruptionsAllowed < 0) throw statusErrors.forbidden(budgetsResource, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > disruptedPodsMax) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw statusErrors.forbidden(budgetsResource, name, why)
  }
  if (disruptionsAllowed === 0) throw refusal(`The disruption budget ${name} ${whyNot(status)}`, 0)
  status.disruptionsAllowed = disruptionsAllowed - 1
  status.disruptedPods = { ...status.disruptedPods, [pod]: now }
  if (status.disruptionsAllowed === 0) {
    const before = status.conditions?.find(({ type }) => type === 'DisruptionAllowed')
    const condition = {
      type: 'DisruptionAllowed',
      status: 'False',
      observedGeneration,
      lastTransitionTime: (before?.status === 'False' && before.lastTransitionTime) || now,
      reason: 'InsufficientPods',
      message: '',
    }
    status.conditions = replaced(status.conditions ?? [], condition)
  }
  return budget
}

function stillProcessed(budget: string): string {
  return `The disruption budget ${budget} is still being processed by the server.`
}

/** Counts are meaningless when the budget could not be computed. */
function whyNot({ desiredHealthy = 0, currentHealthy = 0, conditions }: BudgetStatus): string {
  const { status, reason = '', message = '' } = conditions?.find(({ type }) => type === 'DisruptionAllowed') ?? {}
  const isExplained = status === 'False' && message !== ''
  const not = 'does not allow evicting pods currently'
  if (isExplained && reason === 'SyncFailed') return `${not} because it failed sync: ${message}`
  if (currentHealthy <= desiredHealthy)
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return isExplained ? `${not} (${reason}): ${message}` : not
}

function refusal(message: string, retryAfterSeconds: number): StatusError {
  const causes = [{ reason: 'DisruptionBudget', message }]
  const details = { causes, ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) }
  return new StatusError(429, 'TooManyRequests', tooManyText, { details })
}

/** Writes the reason into the pod's status, and deletes the pod. */
async function remove(
  { pods, clock, context }: Eviction,
  pod: ApiObject,
  options: DeleteRequestOptions,
): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata
  const target = pods.target(namespace, name)
  let seen = options
  if (!context.dryRun) {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    }
    const { object } = await pods.update(
      target,
      {
        subresource: 'eviction',
        transform(existing) {
          if (!existing) throw statusErrors.notFound(pods.definition.gvr, name)
          checkPreconditions(pods, existing.object, options)
          return { ...existing.object, status: withCondition(existing.object, condition, formatTime(clock.now())) }
        },
      },
      context,
    )
    // The write of the status was our own.
    const { preconditions } = options
    const { resourceVersion } = object.metadata
    if (preconditions?.resourceVersion !== undefined && resourceVersion !== undefined)
      seen = { ...options, preconditions: { ...preconditions, resourceVersion } }
  }
  await pods.delete(target, seen, context)
}
