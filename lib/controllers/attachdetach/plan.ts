import { createHash } from 'node:crypto'
import type { Node, PersistentVolume, Pod } from '../../../api/gen/core/v1.ts'
import type { VolumeAttachment } from '../../../api/gen/storage.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'

export type Attachment = Frozen<VolumeAttachment>
type Volume = Frozen<PersistentVolume>
type SomePod = Frozen<Pod>

/** How long an unhealthy node may keep a volume that its pods no longer need. */
const unmountMsMax = 6 * 60_000

export interface Observed {
  readonly volume: Volume
  /** The nodes where pods need it. */
  readonly wanted: ReadonlyMap<string, readonly SomePod[]>
  /** All of this volume. */
  readonly attachments: readonly Attachment[]
  node(name: string): Frozen<Node> | undefined
  /** Since when each attachment is unneeded, by its name; absent: since now. */
  readonly unwantedSince: ReadonlyMap<string, number>
  /** Unless `--disable-force-detach-on-timeout`. */
  readonly forces: boolean
}

export interface Detachment {
  readonly attachment: Attachment
  /** It may still be in use. */
  readonly forced?: 'timeout' | 'out-of-service'
}

export interface Plan {
  readonly detach: readonly Detachment[]
  /** Nodes. */
  readonly attach: readonly string[]
  /** Pods that must wait, each with the reason. */
  readonly refused: readonly { readonly pod: SomePod; readonly message: string }[]
  /** Unneeded attachments that are not deleted yet. */
  readonly unwanted: readonly string[]
  readonly againAfterMs?: number
}

export function plan(observed: Observed, nowMs: number): Plan {
  const { wanted, attachments } = observed
  const unwanted = attachments.filter(
    ({ spec, metadata }) => !wanted.has(spec.nodeName) && metadata.deletionTimestamp === undefined,
  )
  const detach: Detachment[] = []
  let againAfterMs = Number.POSITIVE_INFINITY
  for (const attachment of unwanted) {
    const verdict = detachment(attachment, observed, nowMs)
    if (typeof verdict === 'number') againAfterMs = Math.min(againAfterMs, verdict)
    else if (verdict) detach.push(verdict)
  }
  return {
    detach,
    ...attaching(observed),
    unwanted: unwanted.map(({ metadata }) => metadata.name ?? ''),
    ...(Number.isFinite(againAfterMs) ? { againAfterMs } : {}),
  }
}

/** A number: it waits for so many milliseconds. Undefined: it waits until the node no longer uses the volume. */
function detachment(attachment: Attachment, observed: Observed, nowMs: number): Detachment | number | undefined {
  const node = observed.node(attachment.spec.nodeName)
  // A node that was deleted may still use it.
  const isInUse = node?.status.volumesInUse?.includes(uniqueName(observed.volume)) ?? node === undefined
  if (!isInUse) return { attachment }
  if (node?.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service'))
    return { attachment, forced: 'out-of-service' }
  const isHealthy = node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  if (!observed.forces || isHealthy) return undefined
  const sinceMs = observed.unwantedSince.get(attachment.metadata.name ?? '') ?? nowMs
  const leftMs = sinceMs + unmountMsMax - nowMs
  return leftMs > 0 ? leftMs : { attachment, forced: 'timeout' }
}

function attaching({ volume, wanted, attachments }: Observed): Pick<Plan, 'attach' | 'refused'> {
  const attach: string[] = []
  const refused: { pod: SomePod; message: string }[] = []
  const taken = new Set(attachments.map(({ spec }) => spec.nodeName))
  for (const [node, pods] of wanted) {
    if (attachments.some(({ spec }) => spec.nodeName === node)) continue
    if (taken.size > 0 && !isShareable(volume)) {
      const users = [...wanted].filter(([name]) => taken.has(name)).flatMap(([, users]) => users)
      for (const pod of pods) refused.push({ pod, message: multiAttachError(volume, pod, users) })
      continue
    }
    taken.add(node)
    attach.push(node)
  }
  return { attach, refused }
}

/** True where several nodes can use it at once. */
function isShareable({ spec: { accessModes = [] } }: Volume): boolean {
  return accessModes.length === 0 || accessModes.includes('ReadWriteMany') || accessModes.includes('ReadOnlyMany')
}

function multiAttachError({ metadata }: Volume, pod: SomePod, users: readonly SomePod[]): string {
  const near = users.filter((user) => user.metadata.namespace === pod.metadata.namespace)
  const names = near.map((user) => user.metadata.name).join(', ')
  const why =
    users.length === 0
      ? "Volume is already exclusively attached to one node and can't be attached to another"
      : `Volume is already used by pod(s) ${names}`
  return `Multi-Attach error for volume "${metadata.name}" ${why}`
}

/** The name of the volume in the status of nodes. */
export function uniqueName({ spec: { csi } }: Volume): string {
  return csi ? `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}` : ''
}

/** The request to the volume's driver, with a fixed name for that volume and node. */
export function attachmentFor({ metadata: { name = '' }, spec: { csi } }: Volume, nodeName: string): Attachment {
  const { driver = '', volumeHandle = '' } = csi ?? {}
  const hash = createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `csi-${hash}` },
    spec: { attacher: driver, nodeName, source: { persistentVolumeName: name } },
    status: { attached: false },
  }
}

/** The state of a volume on a node that the status of the node shows. */
export interface OnNode {
  readonly name: string
  readonly attached: boolean
  readonly wanted: boolean
}

/**
 * The node's `volumesAttached`: the attached volumes of drivers. An unneeded one is removed before it is detached,
 * and not added again. Undefined: it needs no change.
 */
export function volumesAttached(
  { status: { volumesAttached: reported = [] } }: Frozen<Node>,
  present: readonly OnNode[],
): NonNullable<Frozen<Node>['status']['volumesAttached']> | undefined {
  const known = new Set(reported.map(({ name }) => name))
  const attached = new Set(present.filter((each) => each.attached).map(({ name }) => name))
  const added = present.filter(({ name, attached: is, wanted }) => is && wanted && !known.has(name))
  const kept = reported.filter(({ name }) => !name.startsWith('kubernetes.io/csi/') || attached.has(name))
  if (added.length === 0 && kept.length === reported.length) return undefined
  return [...kept, ...added.map(({ name }) => ({ name, devicePath: '' }))]
}
