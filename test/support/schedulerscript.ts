import type { Node, Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Frozen } from '../../lib/object/index.ts'
import type { Snapshot } from '../../lib/scheduler/contract.ts'
import type { DeviceSnapshot } from '../../lib/scheduler/dra/contract.ts'
import { DeviceIndex } from '../../lib/scheduler/dra/deviceindex.ts'
import { classesByResource } from '../../lib/scheduler/dra/extended.ts'
import { DeviceSelectors } from '../../lib/scheduler/dra/selectors.ts'
import { type PodInfo, podInfo } from '../../lib/scheduler/podinfo.ts'
import { ClusterState } from '../../lib/scheduler/state.ts'
import { type Given, givenObject } from './controllerscript.ts'

interface ScriptPod {
  /** The pod to schedule: the given one without a node. */
  readonly pod: PodInfo
  readonly snapshot: Snapshot
}

/**
 * The cluster of a script. `input.nodes`: nodes as `a cpu=4 memory=8Gi pods=10 zone=x key=value unschedulable
 * taint:key=value:NoSchedule image:name:tag=bytes`, with 4 cores, 16Gi and 110 pods where nothing is said. `input.pods`: pods as
 * `name node cpu=2 priority=5 started=60 port=80 app=web going`; `?node` is one that is nominated there. Objects that are
 * given may be the pod to schedule, further pods with affinity, claims, volumes, classes and namespaces.
 */
export function clusterOf({ input, lister }: Given): ScriptPod {
  const state = new ClusterState()
  for (const text of (input['nodes'] ?? []) as readonly string[]) state.setNode(nodeOf(text))
  for (const text of (input['pods'] ?? []) as readonly string[]) state.setPod(podOf(text))
  const given = [...lister(resources.core.v1.pods).all()]
  for (const pod of given) if (pod.spec.nodeName) state.setPod(pod)
  const namespaces = lister(resources.core.v1.namespaces)
  const pod = given.find(({ spec }) => !spec.nodeName)
  if (!pod) throw new Error('no pod is given')
  return {
    pod: podInfo(pod),
    snapshot: {
      nodes: state.nodes,
      nominated: state.nominated,
      volumes: {
        claims: lister(resources.core.v1.persistentvolumeclaims),
        volumes: lister(resources.core.v1.persistentvolumes),
        classes: lister(resources.storage.v1.storageclasses),
        csiNodes: lister(resources.storage.v1.csinodes),
      },
      controlledBy: (uid) => state.controlledBy(uid),
      namespaceLabels: (namespace) => namespaces.get(namespace)?.metadata.labels,
      defaultSelector: () => undefined,
      devices: deviceSnapshot({ lister }),
    },
  }
}

function nodeOf(text: string): Frozen<Node> {
  const [name = '', ...words] = text.split(' ')
  const labels: Record<string, string> = { 'kubernetes.io/hostname': name }
  const allocatable: Record<string, string> = { cpu: '4', memory: '16Gi', pods: '110' }
  const taints: { key: string; value: string; effect: string }[] = []
  const images: { names: string[]; sizeBytes: number }[] = []
  let unschedulable = false
  for (const word of words) {
    const [key = '', value = ''] = word.replace('taint:', '').split('=')
    const [plain = '', effect = ''] = value.split(':')
    if (word.startsWith('taint:')) taints.push({ key, value: plain, effect })
    else if (word.startsWith('image:')) images.push({ names: [key.slice('image:'.length)], sizeBytes: Number(value) })
    else if (word === 'unschedulable') unschedulable = true
    else if (key === 'zone') labels['topology.kubernetes.io/zone'] = value
    else if (key in allocatable || key.includes('/')) allocatable[key] = value
    else labels[key] = value
  }
  return givenObject({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints, unschedulable },
    status: { allocatable, images, daemonEndpoints: {}, nodeInfo: undefined },
  }) as Frozen<Node>
}

function podOf(text: string): Frozen<Pod> {
  const [name = '', place = '', ...words] = text.split(' ')
  const labels: Record<string, string> = {}
  const requests: Record<string, string> = {}
  const known: Record<string, string> = {}
  for (const word of words) {
    const [key = '', value = ''] = word.split('=')
    if (key === 'cpu' || key === 'memory') requests[key] = value
    else if (['priority', 'started', 'port', 'owner', 'going', 'namespace'].includes(key)) known[key] = value
    else labels[key] = value
  }
  const { priority = '0', started, port, owner, going, namespace = 'default' } = known
  const owners = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }]
  const isNominated = place.startsWith('?')
  return givenObject({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: name,
      labels,
      ...(owner === undefined ? {} : { ownerReferences: owners }),
      ...(going === undefined ? {} : { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: {
      ...(isNominated ? {} : { nodeName: place }),
      priority: Number(priority),
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { requests },
          ...(port === undefined ? {} : { ports: [{ containerPort: Number(port), hostPort: Number(port) }] }),
        },
      ],
    },
    status: {
      ...(isNominated ? { nominatedNodeName: place.slice(1) } : {}),
      ...(started === undefined
        ? {}
        : { startTime: new Date(Date.UTC(2026, 0, 1) + Number(started) * 1000).toISOString() }),
    },
  }) as Frozen<Pod>
}

/** The devices and claims of a script. */
function deviceSnapshot({ lister }: Pick<Given, 'lister'>): DeviceSnapshot {
  const { resourceclaims, deviceclasses, resourceslices } = resources.resource.v1
  const index = new DeviceIndex(lister(resourceslices).all())
  return {
    claims: lister(resourceclaims),
    classes: lister(deviceclasses),
    pending: new Map(),
    selectors: new DeviceSelectors(),
    index: () => index,
    extendedClasses: () => classesByResource(lister(deviceclasses)),
  }
}
