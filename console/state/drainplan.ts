import { type ApiObject, fieldOf, metadataOf, records, text } from './values.ts'

/** A pod on a node that is drained. */
export interface DrainedPod {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Evicting it is pointless, as it would be made again there, or needs a consent. */
  readonly obstacle: Obstacle | undefined
}

/**
 * `daemonSet` and `mirror`: it belongs to the node. `unmanaged`: no controller makes it again elsewhere. `emptyDir`: what
 * it wrote there is lost.
 */
export type Obstacle = 'daemonSet' | 'mirror' | 'unmanaged' | 'emptyDir'

/** Obstacles that the user may consent to. */
export type Consents = ReadonlySet<Obstacle>

export function toDrainedPod(pod: ApiObject): DrainedPod {
  const { uid, namespace, name } = metadataOf(pod)
  return { uid: text(uid), namespace: text(namespace), name: text(name), obstacle: obstacleOf(pod) }
}

/** As `kubectl drain` decides: of a pod that has finished nothing is lost. */
function obstacleOf(pod: ApiObject): Obstacle | undefined {
  const metadata = metadataOf(pod)
  if (fieldOf(metadata, 'annotations', 'kubernetes.io/config.mirror') !== undefined) return 'mirror'
  if (/^(?:Succeeded|Failed)$/.test(text(fieldOf(pod, 'status', 'phase')))) return undefined
  const controller = records(metadata['ownerReferences']).find((owner) => owner['controller'] === true)
  if (controller?.['kind'] === 'DaemonSet') return 'daemonSet'
  if (controller === undefined) return 'unmanaged'
  return records(fieldOf(pod, 'spec', 'volumes')).some((volume) => volume['emptyDir'] !== undefined)
    ? 'emptyDir'
    : undefined
}

export function isLeft({ obstacle }: DrainedPod, consents: Consents): boolean {
  return obstacle !== undefined && !consents.has(obstacle)
}

/** How far a pod's eviction is. */
export type Step =
  | { readonly step: 'left' | 'waits' | 'ends' | 'gone' }
  /** Tried again; `message` has the server's words, such as those about a PodDisruptionBudget. */
  | { readonly step: 'refused'; readonly message: string; readonly tries: number }
  | { readonly step: 'failed'; readonly message: string }

export interface DrainProgress {
  readonly phase: 'runs' | 'done' | 'stopped' | 'failed'
  /** Why it failed, or which pods it left. */
  readonly problem: string
  readonly pods: readonly { readonly pod: DrainedPod; readonly step: Step }[]
}

export function countOf({ pods }: DrainProgress, ...steps: readonly Step['step'][]): number {
  return pods.filter(({ step: { step } }) => steps.includes(step)).length
}
