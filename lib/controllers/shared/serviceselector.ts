import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type Index, type Lister, namespaceOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

type Labels = Readonly<Record<string, string>> | undefined

/** Pods by each of their labels. */
const podsByLabel: Index<Pod> = { values: (pod) => pairsOf(namespaceOf(pod), pod.metadata.labels) }

/** Services with a selector, by one of its labels. */
const servicesByLabel: Index<Service> = {
  values: (service) => (selectsPods(service) ? pairsOf(namespaceOf(service), service.spec.selector).slice(0, 1) : []),
}

/**
 * The pods that a service selects, found among the pods with the rarest label of its selector. Each change of a pod causes
 * a search: searching all pods of the namespace would take quadratic time.
 */
export function podsOf(service: Frozen<Service>, pods: Lister<Pod>): Frozen<Pod>[] {
  let fewest: readonly Frozen<Pod>[] | undefined
  for (const pair of pairsOf(namespaceOf(service), service.spec.selector)) {
    const found = pods.by(podsByLabel, pair)
    if (!fewest || found.length < fewest.length) fewest = found
    if (found.length === 0) break
  }
  return (fewest ?? []).filter((pod) => matchesSelector(service, pod))
}

/** The services that select a pod. */
export function servicesFor(pod: Frozen<Pod>, services: Lister<Service>): Frozen<Service>[] {
  const found: Frozen<Service>[] = []
  for (const pair of pairsOf(namespaceOf(pod), pod.metadata.labels))
    for (const service of services.by(servicesByLabel, pair)) if (matchesSelector(service, pod)) found.push(service)
  return found
}

/** The service has a selector. */
export function selectsPods({ spec }: Frozen<Service>): boolean {
  return spec.type !== 'ExternalName' && spec.selector !== undefined && Object.keys(spec.selector).length > 0
}

function matchesSelector({ spec }: Frozen<Service>, { metadata }: Frozen<Pod>): boolean {
  return Object.entries(spec.selector ?? {}).every(([key, value]) => metadata.labels?.[key] === value)
}

function pairsOf(namespace: string, labels: Labels): string[] {
  return Object.entries(labels ?? {}).map(([name, value]) => `${namespace}/${name}=${value}`)
}
