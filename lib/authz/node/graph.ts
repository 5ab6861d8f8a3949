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
  /** Takes the pods that are bound to a node. */
  podsOf(node: string): ObjectListener
  /** The pods of the node are no longer followed. */
  forgetPodsOf(node: string): void
  readonly listeners: {
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
} as const satisfies Record<keyof NodeGraph['listeners'] | 'pods', readonly string[]>

/** The pods of one node, each with the vertices that it refers to. */
interface NodePods {
  readonly pods: Map<string, readonly string[]>
  /** The number of edges to each vertex. */
  readonly edges: Map<string, number>
}

/**
 * Edges lead from pods to the objects that they mention, from claims to their volumes, and from volumes to their
 * secrets. Those of pods are stored by node, with a count for each target, so that a look-up takes a step or two, an
 * event costs as much as its object mentions, and only nodes that ask for something need be known.
 */
export function createNodeGraph({ clock, metrics }: { clock: Clock; metrics: Metrics }): NodeGraph {
  const podsByNode = new Map<string, NodePods>()
  /** The nodes of other objects. */
  const nodeOf = new Map<string, string>()
  const volumes = new Map<string, { claim: string; secrets: ReadonlySet<string> }>()
  const volumesOf = new Map<string, Set<string>>()
  const durations = metrics.histogram({
    name: 'node_authorizer_graph_actions_duration_seconds',
    help: 'Time that one change of the graph of the node authorizer took.',
    labels: ['operation'],
    buckets: Array.from({ length: 12 }, (_, power) => 0.0001 * 2 ** power),
  })

  function removePod({ pods, edges }: NodePods, id: string): void {
    const keys = pods.get(id) ?? noKeys
    pods.delete(id)
    for (const key of keys) {
      const count = (edges.get(key) ?? 1) - 1
      if (count > 0) edges.set(key, count)
      else edges.delete(key)
    }
  }

  function setPod(of: NodePods, pod: core.Pod): void {
    const { name = '', namespace = '', annotations } = pod.metadata
    const id = `pod:${namespace}/${name}`
    // A mirror pod, which the node itself creates, must not give it access.
    const isMirror = annotations?.[mirrorAnnotation] !== undefined
    const keys = isMirror ? noKeys : podKeys(pod, namespace)
    if (of.pods.get(id)?.join() === keys.join()) return
    removePod(of, id)
    of.pods.set(id, keys)
    for (const key of keys) of.edges.set(key, (of.edges.get(key) ?? 0) + 1)
  }

  function bind(id: string, node: string): void {
    if (node === '') nodeOf.delete(id)
    else nodeOf.set(id, node)
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

  function hasEdge(node: string, key: string): boolean {
    return podsByNode.get(node)?.edges.has(key) ?? false
  }

  function reachesVolume(node: string, name: string): boolean {
    const volume = volumes.get(name)
    return volume !== undefined && hasEdge(node, volume.claim)
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
      if (kind === 'pod') return podsByNode.get(node)?.pods.has(id) ?? false
      if (nodeOf.get(id) === node || hasEdge(node, id)) return true
      if (kind !== 'secret') return false
      for (const volume of volumesOf.get(`${namespace}/${name}`) ?? []) if (reachesVolume(node, volume)) return true
      return false
    },
    podsOf(node) {
      let of = podsByNode.get(node)
      if (!of) podsByNode.set(node, (of = { pods: new Map(), edges: new Map() }))
      const own = of
      return timed('Pod', {
        set(object) {
          const pod = object as core.Pod
          const { name = '', namespace = '' } = pod.metadata
          if (pod.spec.nodeName === node) setPod(own, pod)
          else removePod(own, `pod:${namespace}/${name}`)
        },
        remove: (namespace, name) => removePod(own, `pod:${namespace}/${name}`),
      })
    },
    forgetPodsOf: (node) => void podsByNode.delete(node),
    listeners: {
      persistentvolumes: timed('PV', {
        set: (object) => setVolume(object as core.PersistentVolume),
        remove: (_namespace, name) => removeVolume(name),
      }),
      volumeattachments: timed('VolumeAttachment', {
        set(object) {
          const { metadata, spec } = object as storage.VolumeAttachment
          const id = `attachment:/${metadata.name ?? ''}`
          bind(id, spec.nodeName)
        },
        remove: (_namespace, name) => nodeOf.delete(`attachment:/${name}`),
      }),
      resourceslices: timed('ResourceSlice', {
        set(object) {
          const { metadata, spec } = object as resource.ResourceSlice
          const id = `resourceslice:/${metadata.name ?? ''}`
          bind(id, spec.nodeName ?? '')
        },
        remove: (_namespace, name) => nodeOf.delete(`resourceslice:/${name}`),
      }),
      podcertificaterequests: timed('PodCertificateRequest', {
        set(object) {
          const { metadata, spec } = object as certificates.PodCertificateRequest
          const id = `podcertificaterequest:${metadata.namespace ?? ''}/${metadata.name ?? ''}`
          bind(id, spec.nodeName)
        },
        remove: (namespace, name) => nodeOf.delete(`podcertificaterequest:${namespace}/${name}`),
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
