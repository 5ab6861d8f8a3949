import type { Pod, Volume } from '../../../api/gen/core/v1.ts'
import { joinKey } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { Plugin, Refusal, Snapshot } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { claimNames } from '../volumes.ts'

const inUse: Refusal = {
  reason: 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
  isFinal: false,
}
const diskConflict: Refusal = { reason: 'node(s) had no available disk', isFinal: false }

/** Volumes that one pod, or one writer on a node, has to itself. */
export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  points: ['preFilter', 'filter'],
  filter: () => ({
    name: 'VolumeRestrictions',
    prepare({ pod }, snapshot) {
      const disks = (pod.spec.volumes ?? []).flatMap((volume) => diskOf(volume) ?? [])
      const claims = onePodClaims(pod, snapshot)
      if (disks.length === 0 && claims.size === 0) return undefined
      const users = claims.size === 0 ? new Map<string, number>() : usersByNode(snapshot, claims)
      const total = [...users.values()].reduce((sum, count) => sum + count, 0)
      return (node) => {
        if (disks.length > 0 && conflicts(node, disks)) return diskConflict
        // The node may have other pods than in the snapshot.
        const others = total - (users.get(node.name) ?? 0)
        return claims.size > 0 && others + usersOn(node, claims) > 0 ? inUse : undefined
      }
    },
  }),
}

/** Keys of the pod's claims that only one pod may use. */
function onePodClaims(pod: Frozen<Pod>, { volumes }: Snapshot): ReadonlySet<string> {
  const keys = claimNames(pod).map((name) => joinKey(pod.metadata.namespace ?? '', name))
  return new Set(keys.filter((key) => volumes.claims.get(key)?.spec.accessModes?.includes('ReadWriteOncePod')))
}

function usersByNode({ nodes }: Snapshot, claims: ReadonlySet<string>): Map<string, number> {
  const users = new Map<string, number>()
  for (const node of nodes.values()) {
    const count = usersOn(node, claims)
    if (count > 0) users.set(node.name, count)
  }
  return users
}

function usersOn({ pods }: NodeInfo, claims: ReadonlySet<string>): number {
  let count = 0
  for (const { pod } of pods.values()) {
    if ((pod.spec.volumes ?? []).length === 0) continue
    if (claimNames(pod).some((name) => claims.has(joinKey(pod.metadata.namespace ?? '', name)))) count++
  }
  return count
}

/** A disk that pods name themselves. */
interface Disk {
  readonly id: string
  readonly readOnly: boolean
}

function diskOf({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Frozen<Volume>): Disk | undefined {
  if (gcePersistentDisk) return { id: `gce/${gcePersistentDisk.pdName}`, readOnly: gcePersistentDisk.readOnly === true }
  // No two mounts of this kind are allowed, not even for reading.
  if (awsElasticBlockStore) return { id: `aws/${awsElasticBlockStore.volumeID}`, readOnly: false }
  if (iscsi) return { id: `iscsi/${iscsi.iqn}`, readOnly: iscsi.readOnly === true }
  if (rbd) return { id: `rbd/${rbd.pool ?? 'rbd'}/${rbd.image}`, readOnly: rbd.readOnly === true }
  return undefined
}

function conflicts({ pods }: NodeInfo, disks: readonly Disk[]): boolean {
  for (const { pod } of pods.values())
    for (const volume of pod.spec.volumes ?? []) {
      const other = diskOf(volume)
      if (other && disks.some((disk) => disk.id === other.id && !(disk.readOnly && other.readOnly))) return true
    }
  return false
}
