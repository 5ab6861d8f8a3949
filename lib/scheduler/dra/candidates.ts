import type { DeviceTaint, DeviceToleration } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { resultsMax, type SearchState } from './allocate.ts'
import type { Alternative, Request } from './contract.ts'
import { type DeviceInfo, reaches } from './deviceindex.ts'
import { SearchEnd } from './searchbudget.ts'

/** Evaluating an expression takes as long as several steps of a search; its answer is kept. */
const evaluationSteps = 10

/**
 * The devices on the node that a request may have, in a stable order; none where a request for all devices can't have
 * each of them. Throws SearchEnd.
 */
export function candidatesOn(
  node: NodeInfo,
  request: Request,
  alternative: Alternative,
  state: SearchState,
): readonly DeviceInfo[] {
  const { wantsAll } = alternative
  const name = claimName(request)
  const found: DeviceInfo[] = []
  for (const pool of state.snapshot.index().poolsOn(node)) {
    const selected = pool.devices.filter((info) => reaches(info.place, node) && isSelected(alternative, info, state))
    const poolName = `${pool.driver}/${pool.name}`
    if (wantsAll && !pool.isComplete)
      throw new SearchEnd(
        `claim ${name}, request ${request.name}: asks for all devices, but resource pool ${poolName} is currently being updated`,
      )
    if (pool.problem !== undefined && selected.length > 0)
      throw new SearchEnd(
        wantsAll
          ? `claim ${name}, request ${request.name}: asks for all devices, but resource pool ${poolName} is currently invalid`
          : `pool ${poolName} is invalid: ${pool.problem}`,
      )
    found.push(...selected)
  }
  const free = found.filter((info) => isFree(alternative, info, state))
  if (!wantsAll) return free
  if (found.length > resultsMax)
    throw new SearchEnd(
      `claim ${name}: number of requested devices ${found.length} exceeds the claim limit of ${resultsMax}`,
    )
  return free.length === found.length ? found : []
}

function claimName({ claim: { metadata } }: Request): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

function isSelected({ selectors }: Alternative, info: DeviceInfo, { snapshot, budget }: SearchState): boolean {
  return selectors.every(({ expression, origin }) => {
    budget.spend(info.selections.has(expression) ? 1 : evaluationSteps)
    const selected = snapshot.selectors.selects(expression, info)
    if (selected instanceof Error) throw new SearchEnd(`${origin}: ${selected.message}`)
    return selected
  })
}

/** Neither another claim nor a taint keeps the device from the request. */
function isFree(
  { adminAccess, tolerations }: Alternative,
  { id, device }: DeviceInfo,
  { usage }: SearchState,
): boolean {
  if (!adminAccess && usage.taken.has(id)) return false
  return (device.taints ?? []).every(
    (taint) => taint.effect === 'None' || tolerations.some((toleration) => tolerates(toleration, taint)),
  )
}

/** An empty key with Exists tolerates every taint, an empty effect each effect. */
function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Frozen<DeviceToleration>,
  taint: Frozen<DeviceTaint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''))
}
