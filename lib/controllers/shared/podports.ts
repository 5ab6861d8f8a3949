import type { Pod, Service, ServicePort } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'

/** A port of a service on a pod. */
export interface PodPort {
  readonly of: Frozen<ServicePort>
  readonly number: number
}

/**
 * Returns the service's ports on each pod, without those that the pod lacks. Pods with the same numbers share one
 * list: a service may have thousands of ports, and callers process each list once.
 */
export function podPortsOf({ spec }: Frozen<Service>): (pod: Frozen<Pod>) => readonly PodPort[] {
  const ports = spec.ports ?? []
  const wanted = new Set(ports.map(nameOf))
  const lists = new Map<string, readonly PodPort[]>()
  return (pod) => {
    const numbers = numbersOf(pod, wanted)
    const key = Array.from(numbers, ([name, number]) => `${name}=${number}`)
      .sort()
      .join()
    const list = lists.get(key) ?? ports.flatMap((port) => portWith(port, numbers))
    lists.set(key, list)
    return list
  }
}

/** The name by which a port is looked up in the pod's containers; undefined for a port with a number. */
function nameOf({ targetPort, protocol }: Frozen<ServicePort>): string | undefined {
  return typeof targetPort === 'string' && targetPort !== '' ? `${targetPort}/${protocol ?? 'TCP'}` : undefined
}

/** The first container port of each wanted name. Containers come before sidecars. */
function numbersOf({ spec }: Frozen<Pod>, wanted: ReadonlySet<string | undefined>): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  for (const { ports = [] } of [...(spec.containers ?? []), ...sidecars])
    for (const { name, protocol, containerPort } of ports) {
      const key = `${name}/${protocol ?? 'TCP'}`
      if (wanted.has(key) && !numbers.has(key)) numbers.set(key, containerPort)
    }
  return numbers
}

function portWith(port: Frozen<ServicePort>, numbers: ReadonlyMap<string, number>): PodPort[] {
  const name = nameOf(port)
  const target = typeof port.targetPort === 'number' ? port.targetPort : 0
  const number = name === undefined ? target || port.port : numbers.get(name)
  return number === undefined ? [] : [{ of: port, number }]
}
