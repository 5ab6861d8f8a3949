import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, quantityMilliValue } from '../../object/index.ts'
import { NotComputable } from './replicas.ts'

/**
 * Requests of each pod for a resource, in thousandths; `container`: of that container only. Throws where a request is
 * missing.
 */
export function requestsOf(
  pods: readonly Frozen<Pod>[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, resource, container)]))
}

function requestOf(pod: Frozen<Pod>, resource: string, wanted: string | undefined): number {
  const whole = wanted === undefined ? pod.spec.resources?.requests?.[resource] : undefined
  if (whole !== undefined) return Number(quantityMilliValue(whole))
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  let sum = 0
  for (const container of [...(pod.spec.containers ?? []), ...sidecars]) {
    if (wanted !== undefined && container.name !== wanted) continue
    sum += requestOfContainer(container, resource, pod.metadata.name ?? '')
  }
  return sum
}

function requestOfContainer({ name, resources }: Frozen<Container>, resource: string, pod: string): number {
  const request = resources?.requests?.[resource]
  if (request === undefined)
    throw new NotComputable(`missing request for ${resource} in container ${name} of Pod ${pod}`)
  return Number(quantityMilliValue(request))
}
