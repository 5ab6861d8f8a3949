import type { Pod } from '../../../api/gen/core/v1.ts'
import { joinKey } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Plugin, Refusal } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { claimNames, type VolumeListers } from '../volumes.ts'

const refusal: Refusal = { reason: 'node(s) exceed max volume count', isFinal: false }

/** Volumes of a CSI driver that a node can have attached, as its CSINode states. */
export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  points: ['preFilter', 'filter'],
  filter: () => ({
    name: 'NodeVolumeLimits',
    prepare({ pod }, { volumes }) {
      const wanted = attachedBy(pod, volumes)
      if (wanted.size === 0) return undefined
      return (node) => {
        const limits = limitsOf(node, volumes)
        return limits.size > 0 && exceeds(limits, wanted, node, volumes) ? refusal : undefined
      }
    },
  }),
}

function limitsOf({ name }: NodeInfo, { csiNodes }: VolumeListers): Map<string, number> {
  const drivers = csiNodes.get(name)?.spec.drivers ?? []
  return new Map(
    drivers.flatMap(({ name: driver, allocatable }) => {
      const count = allocatable?.count
      return count === undefined ? [] : [[driver, count] as const]
    }),
  )
}

function exceeds(
  limits: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, string>,
  node: NodeInfo,
  listers: VolumeListers,
): boolean {
  const attached = new Map<string, string>()
  for (const { pod } of node.pods.values())
    for (const [id, driver] of attachedBy(pod, listers)) attached.set(id, driver)
  for (const [driver, most] of limits) {
    const count = (of: ReadonlyMap<string, string>, isCounted: (id: string) => boolean): number =>
      [...of].filter(([id, each]) => each === driver && isCounted(id)).length
    const more = count(wanted, (id) => !attached.has(id))
    if (more > 0 && more + count(attached, () => true) > most) return true
  }
  return false
}

/** The driver of each volume that a pod needs attached, by an id of the volume. Claims without a volume count, too. */
function attachedBy(pod: Frozen<Pod>, { claims, volumes, classes }: VolumeListers): Map<string, string> {
  const attached = new Map<string, string>()
  if ((pod.spec.volumes ?? []).length === 0) return attached
  for (const name of claimNames(pod)) {
    const key = joinKey(pod.metadata.namespace ?? '', name)
    const claim = claims.get(key)
    if (!claim) continue
    const csi = volumes.get(claim.spec.volumeName ?? '')?.spec.csi
    if (csi) attached.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver)
    else if (!claim.spec.volumeName) {
      const driver = classes.get(claim.spec.storageClassName ?? '')?.provisioner
      if (driver !== undefined) attached.set(`${driver}/${key}`, driver)
    }
  }
  return attached
}
