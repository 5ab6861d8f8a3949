import type * as certificates from '../../../api/gen/certificates.k8s.io/v1beta1.ts'
import type * as core from '../../../api/gen/core/v1.ts'
import type * as resource from '../../../api/gen/resource.k8s.io/v1.ts'
import type * as storage from '../../../api/gen/storage.k8s.io/v1.ts'
import type { Clock, Metrics } from '../../base/index.ts'
import { mirrorAnnotation, podReferenceFields, visitPodReferences, volumeSecrets } from '../../kinds/index.ts'
import type { ObjectListener } from '../objects.ts'

/** Vertices with edges towards a node. */
export type GraphKind =
  | 'pod'
  | 'secret'
  | 'configmap'
  | 'claim'
  | 'volume'
  | 'attachment'
  | 'resourceclaim'
  | 'resourceslice'
  | 'serviceaccount'
  | 'podcertificaterequest'

/** The objects that a node may read because its own objects refer to them. */
export interface NodeGraph {
  /** `namespace` is '' of cluster-scoped ones. */
  reaches(node: string, kind: GraphKind, namespace: string, name: string): boolean
  readonly listeners: {
    readonly pods: ObjectListener
    readonly persistentvolumes: ObjectListener
    readonly volumeattachments: ObjectListener
    readonly resourceslices: ObjectListener
    readonly podcertificaterequests: ObjectListener
  }
}

/** Paths of all fields that the listeners read. */
export const nodeGraphFields = {
  pods: ['metadata.name', 'metadata.namespace', 'metadata.annotations', 'spec.nodeName', ...podReferenceFields],
  persistentvolumes: ['metadata.name', 'metadata.namespace', 'spec'],
  volumeattachments: ['metadata.name', 'metadata.namespace', 'spec.nodeName'],
  resourceslices: ['metadata.name', 'metadata.namespace', 'spec.nodeName'],
  podcertificaterequests: ['metadata.name', 'metadata.namespace', 'spec.nodeName'],
} as const satisfies Record<keyof NodeGraph['listeners'], readonly string[]>

/** An object's edges: its node, which reaches the object itself, and the other vertices that it refers to. */
interface Bound {
  readonly node: string
  readonly keys: readonly string[]
}

/**
 * Edges lead from pods to the objects that they mention, from claims to their volumes, and from volumes to their
 * secrets. They are stored by target, with a count for each node, so that a look-up takes a step or two and an event
 * costs as much as its object mentions.
 */
export function createNodeGraph({ clock, metrics }: { clock: Clock; metrics: Metrics }): NodeGraph {
  const bound = new Map<string, Bound>()
  /** By target: its nodes, each with the number of edges that come from it. */
  const nodesOf = new Map<string, Map<string, number>>()
  const volumes = new Map<string, { claim: string; secrets: ReadonlySet<string> }>()
  const volumesOf = new Map<string, Set<string>>()
  const durations = metrics.histogram({
    name: 'node_authorizer_graph_actions_duration_seconds',
    help: 'Time that one change of the graph of the node authorizer took.',
    labels: ['operation'],
    buckets: Array.from({ length: 12 }, (_, power) => 0.0001 * 2 ** power),
  })

  function unbind(id: string): void {
    const known = bound.get(id)
    if (!known) return
    bound.delete(id)
    for (const key of known.keys) {
      const nodes = nodesOf.get(key)
      const count = (nodes?.get(known.node) ?? 1) - 1
      if (count > 0) nodes?.set(known.node, count)
      else nodes?.delete(known.node)
      if (nodes?.size === 0) nodesOf.delete(key)
    }
  }

  function bind(id: string, node: string, keys: readonly string[]): void {
    const known = bound.get(id)
    if (known && known.node === node && known.keys.join() === keys.join()) return
    unbind(id)
    if (node === '') return
    bound.set(id, { node, keys })
    for (const key of keys) {
      let nodes = nodesOf.get(key)
      if (!nodes) nodesOf.set(key, (nodes = new Map()))
      nodes.set(node, (nodes.get(node) ?? 0) + 1)
    }
  }

  function setPod(pod: core.Pod): void {
    const { name = '', namespace = '', annotations } = pod.metadata
    const id = `pod:${namespace}/${name}`
    // A mirror pod, which the node itself creates, must not give it access.
    const isMirror = annotations?.[mirrorAnnotation] !== undefined
    bind(id, pod.spec.nodeName ?? '', isMirror ? noKeys : podKeys(pod, namespace))
  }

  function removeVolume(name: string): void {
    const known = volumes.get(name)
    volumes.delete(name)
    for (const secret of known?.secrets ?? []) {
      const with_ = volumesOf.get(secret)
      with_?.delete(name)
      if (with_?.size === 0) volumesOf.delete(secret)
    }
  }

  function setVolume(volume: core.PersistentVolume): void {
    const { name = '' } = volume.metadata
    removeVolume(name)
    const { claimRef } = volume.spec
    if (!claimRef) return
    const secrets = volumeSecrets(volume)
    volumes.set(name, { claim: `claim:${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`, secrets })
    for (const secret of secrets) {
      const known = volumesOf.get(secret)
      if (known) known.add(name)
      else volumesOf.set(secret, new Set([name]))
    }
  }

  function reachesVolume(node: string, name: string): boolean {
    const volume = volumes.get(name)
    return volume !== undefined && (nodesOf.get(volume.claim)?.has(node) ?? false)
  }

  function timed(what: string, listener: ObjectListener): ObjectListener {
    const added = durations.at([`Add${what}`])
    const deleted = durations.at([`Delete${what}`])
    const time = (series: { observe(seconds: number): void }, run: () => void): void => {
      const startMs = clock.monotonicMs()
      run()
      series.observe((clock.monotonicMs() - startMs) / 1000)
    }
    return {
      set: (object) => time(added, () => listener.set(object)),
      remove: (namespace, name) => time(deleted, () => listener.remove(namespace, name)),
    }
  }

  return {
    reaches(node, kind, namespace, name) {
      if (kind === 'volume') return reachesVolume(node, name)
      const id = `${kind}:${namespace}/${name}`
      if (bound.get(id)?.node === node || nodesOf.get(id)?.has(node)) return true
      if (kind !== 'secret') return false
      for (const volume of volumesOf.get(`${namespace}/${name}`) ?? []) if (reachesVolume(node, volume)) return true
      return false
    },
    listeners: {
      pods: timed('Pod', {
        set: (object) => setPod(object as core.Pod),
        remove: (namespace, name) => unbind(`pod:${namespace}/${name}`),
      }),
      persistentvolumes: timed('PV', {
        set: (object) => setVolume(object as core.PersistentVolume),
        remove: (_namespace, name) => removeVolume(name),
      }),
      volumeattachments: timed('VolumeAttachment', {
        set(object) {
          const { metadata, spec } = object as storage.VolumeAttachment
          const id = `attachment:/${metadata.name ?? ''}`
          bind(id, spec.nodeName, noKeys)
        },
        remove: (_namespace, name) => unbind(`attachment:/${name}`),
      }),
      resourceslices: timed('ResourceSlice', {
        set(object) {
          const { metadata, spec } = object as resource.ResourceSlice
          const id = `resourceslice:/${metadata.name ?? ''}`
          bind(id, spec.nodeName ?? '', noKeys)
        },
        remove: (_namespace, name) => unbind(`resourceslice:/${name}`),
      }),
      podcertificaterequests: timed('PodCertificateRequest', {
        set(object) {
          const { metadata, spec } = object as certificates.PodCertificateRequest
          const id = `podcertificaterequest:${metadata.namespace ?? ''}/${metadata.name ?? ''}`
          bind(id, spec.nodeName, noKeys)
        },
        remove: (namespace, name) => unbind(`podcertificaterequest:${namespace}/${name}`),
      }),
    },
  }
}

const noKeys: readonly string[] = []

/** Fewer keys are compared with each other, rather than put into a set. */
const fewKeys = 16

function podKeys(pod: core.Pod, namespace: string): readonly string[] {
  const keys: string[] = []
  visitPodReferences(pod, (kind, name) => {
    const key = `${kind}:${namespace}/${name}`
    if (keys.length > fewKeys || !keys.includes(key)) keys.push(key)
  })
  return keys.length > fewKeys ? [...new Set(keys)] : keys
}
