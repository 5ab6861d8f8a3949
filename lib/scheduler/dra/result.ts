import type { NodeSelector, NodeSelectorTerm } from '../../../api/gen/core/v1.ts'
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
} from '../../../api/gen/resource.k8s.io/v1.ts'
import { type Frozen, formatQuantity, formatTime, parseQuantity } from '../../object/index.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { ChosenDevice } from './allocate.ts'
import type { Claim, DeviceSnapshot } from './contract.ts'

interface ResultOptions {
  readonly node: NodeInfo
  readonly classes: DeviceSnapshot['classes']
  readonly nowMs: number
  /** Identifies a share of a device. */
  newShareId(): string
}

type NodeTerm = Frozen<NodeSelectorTerm>

/** The allocation in a claim's status, of the devices that were chosen for it. */
export function allocationOf(claim: Claim, chosen: readonly ChosenDevice[], options: ResultOptions): AllocationResult {
  const { node, nowMs } = options
  const nodeSelector = nodeSelectorOf(chosen, node)
  const config = configOf(claim, chosen, options)
  const waits = chosen.some(({ info }) => (info.device.bindingConditions ?? []).length > 0)
  return {
    devices: {
      results: chosen.map((each) => resultOf(each, options)),
      ...(config.length > 0 ? { config } : {}),
    },
    ...(nodeSelector ? { nodeSelector } : {}),
    ...(waits ? { allocationTimestamp: formatTime(nowMs) } : {}),
  }
}

function resultOf(
  { request, info, consumed }: ChosenDevice,
  { newShareId }: ResultOptions,
): DeviceRequestAllocationResult {
  const { device, driver, pool } = info
  const { bindingConditions = [], bindingFailureConditions = [] } = device
  return {
    request: request.name,
    driver,
    pool: pool.name,
    device: device.name,
    ...(request.adminAccess ? { adminAccess: true } : {}),
    ...(request.tolerations.length > 0 ? { tolerations: request.tolerations.map((each) => ({ ...each })) } : {}),
    ...(bindingConditions.length > 0 ? { bindingConditions: [...bindingConditions] } : {}),
    ...(bindingFailureConditions.length > 0 ? { bindingFailureConditions: [...bindingFailureConditions] } : {}),
    ...(consumed
      ? {
          shareID: newShareId(),
          consumedCapacity: Object.fromEntries(
            Array.from(consumed, ([name, amount]) => [name, textOf(amount, device.capacity?.[name]?.value ?? '0')]),
          ),
        }
      : {}),
  }
}

/** An amount in thousandths, in the form of the capacity that it is taken from. */
function textOf(amount: bigint, like: string): string {
  return formatQuantity(amount, -3, parseQuantity(like).family)
}

/** Where the claim can be used: on the nodes that reach all of its devices. Undefined: anywhere. */
function nodeSelectorOf(chosen: readonly ChosenDevice[], node: NodeInfo): NodeSelector | undefined {
  const isLocal = chosen.some(({ info: { place, device } }) => Boolean(place.nodeName) || device.bindsToNode === true)
  if (isLocal)
    return {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node.name] }] }],
    }
  const terms = chosen.flatMap(({ info: { place } }): NodeTerm[] => [...(place.nodeSelector?.nodeSelectorTerms ?? [])])
  if (terms.length === 0) return undefined
  const unique = <Item>(items: readonly Item[]): Item[] => {
    const known = new Map(items.map((item) => [JSON.stringify(item), item]))
    return [...known.values()]
  }
  const copied = (list: 'matchExpressions' | 'matchFields') =>
    unique(terms.flatMap((term) => term[list] ?? [])).map((each) => ({ ...each, values: [...(each.values ?? [])] }))
  const [matchExpressions, matchFields] = [copied('matchExpressions'), copied('matchFields')]
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
        ...(matchFields.length > 0 ? { matchFields } : {}),
      },
    ],
  }
}

/** Settings of the classes come before those of the claim, which have precedence. */
function configOf(
  claim: Claim,
  chosen: readonly ChosenDevice[],
  { classes }: ResultOptions,
): DeviceAllocationConfiguration[] {
  const requests = new Map(chosen.map(({ request }) => [request.name, request]))
  const ofClasses = [...requests.values()].flatMap(({ name, className }) =>
    (classes.get(className)?.spec.config ?? []).map(({ opaque }) => ({
      source: 'FromClass',
      requests: [name],
      ...(opaque ? { opaque: { ...opaque } } : {}),
    })),
  )
  const names = [...requests.keys()]
  const isChosen = (request: string): boolean =>
    names.some((name) => name === request || name.split('/')[0] === request)
  const ofClaim = (claim.spec.devices.config ?? []).flatMap(({ requests: about = [], opaque }) => {
    // Settings for a subrequest that was not chosen are left out.
    const kept = about.filter((request) => isChosen(request))
    if (about.length > 0 && kept.length === 0) return []
    return [
      {
        source: 'FromClaim',
        ...(kept.length > 0 ? { requests: kept } : {}),
        ...(opaque ? { opaque: { ...opaque } } : {}),
      },
    ]
  })
  // Opaque parameters are copied as they are.
  return [...ofClasses, ...ofClaim] as DeviceAllocationConfiguration[]
}
