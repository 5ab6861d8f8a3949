import { type ApiObject, type GroupVersionKind, statusErrors } from '../../object/index.ts'
import { ensureNamespace } from '../../registry/index.ts'
import { type Call, type CreateOrUpdateOptions, parseCreateOptions } from '../../request/index.ts'
import { admitCreation } from './admitcreation.ts'
import type { VirtualKit } from './virtualhandler.ts'

/** The condition of a pod of one type, in its status. */
export interface PodCondition {
  type: string
  status: string
  reason?: string
  message?: string
  lastProbeTime?: string | null
  lastTransitionTime?: string
  observedGeneration?: number | bigint
}

interface PodAction {
  readonly object: ApiObject
  readonly options: CreateOrUpdateOptions
}

/**
 * Reads an object posted to act on a pod (Binding, Eviction) and runs both phases of admission. Below
 * `pods/{name}` its name must be the pod's; otherwise the object names the pod.
 */
export async function readPodAction(
  call: Call,
  kit: VirtualKit,
  gvk: GroupVersionKind,
  { resource, subresource }: { resource: string; subresource: string },
): Promise<PodAction> {
  const { namespace } = call.info
  const options = parseCreateOptions(call.query)
  const object = await kit.read(call, gvk, options.fieldValidation)
  const checkTarget = (): void => {
    if (subresource !== '' && object.metadata.name !== call.info.name)
      throw statusErrors.badRequest(`name in URL does not match name in ${gvk.kind} object`)
    ensureNamespace(object, namespace)
  }
  checkTarget()
  await admitCreation(
    call,
    kit,
    { kind: gvk, resource: { group: '', version: 'v1', resource }, subresource },
    object,
    options,
  )
  // Admission may not choose another pod than the request was authorized for.
  checkTarget()
  return { object, options }
}

export function succeed(call: Call, kit: VirtualKit): void | Promise<void> {
  return kit.respond(call, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}

/** The pod's status with `condition`; its time changes only with its status. */
export function withCondition(pod: ApiObject, condition: PodCondition, now: string): object {
  const status = (pod['status'] ?? {}) as { conditions?: PodCondition[] }
  const before = status.conditions?.find(({ type }) => type === condition.type)
  const since = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now
  const { generation } = pod.metadata
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  const made = { ...condition, ...observed, lastProbeTime: null, lastTransitionTime: since }
  return { ...status, conditions: replaced(status.conditions ?? [], made) }
}

/** Replaces the condition of the same type, or appends it. */
export function replaced<Condition extends PodCondition>(
  conditions: readonly Condition[],
  condition: Condition,
): Condition[] {
  if (!conditions.some(({ type }) => type === condition.type)) return [...conditions, condition]
  return conditions.map((each) => (each.type === condition.type ? condition : each))
}
