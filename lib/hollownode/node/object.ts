import type { Node, NodeCondition, NodeStatus } from '../../../api/gen/core/v1.ts'
import { formatTime } from '../../object/index.ts'

/** Facts that every hollow node reports. */
export interface NodeSettings {
  /** `v1.33.0`. */
  readonly version: string
  readonly capacity: Readonly<Record<string, string>>
  /** Where kubelets listen. */
  readonly address: string
}

export const defaultCapacity: Readonly<Record<string, string>> = Object.freeze({
  cpu: '32',
  memory: '64Gi',
  'ephemeral-storage': '256Gi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  pods: '110',
})

/** Annotates a node: `true` keeps it from reporting and from working on its pods, as if its machine were lost. */
export const lostAnnotation = 'hollow.pilothouse/lost'
/** Labels every hollow node. */
const hollowLabel = 'hollow.pilothouse/node'

const zones = ['a', 'b', 'c']

/** The zone of the node with that number; nodes take turns. */
function zoneOf(index: number): string {
  return `hollow-${zones[index % zones.length] ?? ''}`
}

export function nodeObject(name: string, index: number, port: number, settings: NodeSettings, nowMs: number): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'hollow',
        'topology.kubernetes.io/zone': zoneOf(index),
        [hollowLabel]: 'true',
      },
    },
    spec: { providerID: `hollow://${name}` },
    status: nodeStatus(name, port, settings, nowMs),
  }
}

export function nodeStatus(
  name: string,
  port: number,
  { version, capacity, address }: NodeSettings,
  nowMs: number,
): NodeStatus {
  return {
    capacity: { ...capacity },
    allocatable: { ...capacity },
    conditions: nodeConditions(nowMs),
    // No host name: API servers would look it up before they take the address.
    addresses: [{ type: 'InternalIP', address }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: '6.1.0-hollow',
      osImage: 'Hollow node of Pilothouse',
      containerRuntimeVersion: 'hollow://1.0.0',
      kubeletVersion: version,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}

const conditionsFalse = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const

export function nodeConditions(nowMs: number, sinceMs = nowMs): NodeCondition[] {
  const times = { lastHeartbeatTime: formatTime(nowMs), lastTransitionTime: formatTime(sinceMs) }
  return [
    ...conditionsFalse.map(([type, reason, message]) => ({ type, status: 'False', ...times, reason, message })),
    { type: 'Ready', status: 'True', ...times, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ]
}
