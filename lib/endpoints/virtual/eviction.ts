import type { Clock } from '../../base/index.ts'
import {
  type ApiObject,
  copyObject,
  formatTime,
  labelSelectorFromObject,
  type LabelSelectorObject,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { Registry, ResourceRegistry, WriteContext } from '../../registry/index.ts'
import { type Call, checkDeleteOptions, type DeleteOptions, type RawDeleteOptions } from '../../request/index.ts'
import type { SpecialHandler } from '../special.ts'
import { writeContext } from '../write.ts'
import { type PodCondition, readPodAction, succeed, withCondition } from './podaction.ts'

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
export function createEvictionHandler({ registry, clock }: { registry: Registry; clock: Clock }): SpecialHandler {
  return {
    gvr: { group: '', version: 'v1', resource: 'pods' },
    subresource: 'eviction',
    async handle(call, kit) {
      const { object, options } = await readPodAction(call, kit, gvk, { resource: 'pods', subresource: 'eviction' })
      const pods = registry.resource({ group: '', resource: 'pods' })
      const budgets = registry.resource(budgetsResource)
      if (!pods) throw statusErrors.noSuchResource()
      const given = checkDeleteOptions((object['deleteOptions'] ?? {}) as RawDeleteOptions)
      const dryRun = options.dryRun || given.dryRun
      const context = writeContext(call, dryRun)
      const pod = await podOf(pods, call)
      if (budgets && !isIgnorable(pod)) await ask(budgets, pod, context, clock)
      await evict(pods, pod, { ...given, dryRun }, context, clock)
      await succeed(call, kit)
    },
  }
}

async function podOf(pods: ResourceRegistry, { info: { namespace, name } }: Call): Promise<ApiObject> {
  const { entry } = await pods.cache.get(pods.target(namespace, name).key, { at: { kind: 'latest' } })
  if (!entry) throw statusErrors.notFound(pods.definition.gvr, name)
  return entry.object()
}

function statusOf(pod: ApiObject): { phase?: string; conditions?: PodCondition[] } {
  return (pod['status'] ?? {}) as { phase?: string; conditions?: PodCondition[] }
}

/** Nobody misses a pod that doesn't run, or that is on its way out. */
function isIgnorable(pod: ApiObject): boolean {
  const { phase = '' } = statusOf(pod)
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined
}

function isReady(pod: ApiObject): boolean {
  return statusOf(pod).conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

/** Takes the eviction out of the pod's budget, if it has one. Throws 429 when there is none left. */
async function ask(budgets: ResourceRegistry, pod: ApiObject, context: WriteContext, clock: Clock): Promise<void> {
  const { namespace = '', name = '', labels = {} } = pod.metadata
  const { entries } = await budgets.cache.list({ ...budgets.range(namespace), at: { kind: 'latest' }, limit: 0 })
  const matching = entries
    .map((entry): Budget => entry.object())
    .filter(({ spec }) => labelSelectorFromObject(spec?.selector).matches(labels))
  if (matching.length > 1) throw new StatusError(500, '', severalText)
  const [budget] = matching
  if (!budget || isUnhealthyAndFree(pod, budget)) return
  await budgets.update(
    budgets.target(namespace, budget.metadata.name ?? ''),
    {
      subresource: 'status',
      transform(existing) {
        if (!existing) throw statusErrors.notFound(budgets.definition.gvr, budget.metadata.name ?? '')
        return decremented(copyObject(existing.object), name, formatTime(clock.now()))
      },
    },
    context,
  )
}

/** A pod that isn't ready costs the budget nothing, when its owner says so or when enough others are healthy. */
function isUnhealthyAndFree(pod: ApiObject, { spec, status }: Budget): boolean {
  if (isReady(pod)) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {}
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

function decremented(budget: Budget, pod: string, now: string): ApiObject {
  const status = (budget.status ??= {})
  const { name = '', generation = 0 } = budget.metadata
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status
  if (observedGeneration < generation)
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, 10)
  if (disruptionsAllowed < 0) throw statusErrors.forbidden(budgetsResource, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > disruptedPodsMax) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw statusErrors.forbidden(budgetsResource, name, why)
  }
  if (disruptionsAllowed === 0)
    throw refusal(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    )
  status.disruptionsAllowed = disruptionsAllowed - 1
  status.disruptedPods = { ...status.disruptedPods, [pod]: now }
  if (status.disruptionsAllowed === 0) {
    const others = (status.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed')
    const condition = {
      type: 'DisruptionAllowed',
      status: 'False',
      observedGeneration,
      lastTransitionTime: now,
      reason: 'InsufficientPods',
      message: '',
    }
    status.conditions = [...others, condition]
  }
  return budget
}

function refusal(message: string, retryAfterSeconds: number): StatusError {
  const causes = [{ reason: 'DisruptionBudget', message }]
  const details = { causes, ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }) }
  return new StatusError(429, 'TooManyRequests', tooManyText, { details })
}

/** Says in the pod's status why it goes, and deletes that very pod. */
async function evict(
  pods: ResourceRegistry,
  pod: ApiObject,
  options: DeleteOptions,
  context: WriteContext,
  clock: Clock,
): Promise<void> {
  const { namespace = '', name = '', uid } = pod.metadata
  const target = pods.target(namespace, name)
  const wanted = options.preconditions?.resourceVersion
  if (!context.dryRun && wanted === undefined && !isIgnorable(pod)) {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    }
    await pods.update(
      target,
      {
        subresource: 'eviction',
        transform(existing) {
          if (!existing || existing.object.metadata.uid !== uid) throw statusErrors.notFound(pods.definition.gvr, name)
          return { ...existing.object, status: withCondition(existing.object, condition, formatTime(clock.now())) }
        },
      },
      context,
    )
  }
  const preconditions = {
    ...options.preconditions,
    ...(uid === undefined ? {} : { uid: options.preconditions?.uid ?? uid }),
  }
  await pods.delete(target, { ...options, preconditions }, context)
}
