import type { Container, Pod, ResourceFieldSelector } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseQuantity } from '../../object/index.ts'
import { defaultCapacity } from '../node/object.ts'

/** A field of a pod as the downward API gives it; '' where there is none. */
export function fieldOf(pod: Frozen<Pod>, path: string, podIp: string): string {
  const { metadata, spec, status } = pod
  const keyed = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path)
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? ''
  if (path === 'metadata.labels') return formatMap(metadata.labels)
  if (path === 'metadata.annotations') return formatMap(metadata.annotations)
  const known: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec.nodeName,
    'spec.serviceAccountName': spec.serviceAccountName,
    'status.hostIP': status.hostIP,
    'status.hostIPs': status.hostIPs?.map(({ ip }) => ip).join(','),
    'status.podIP': podIp,
    'status.podIPs': podIp,
  }
  return known[path] ?? ''
}

/** Lines `key="value"` in the order of the keys. */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n')
}

/** A request or limit in units of the divisor, rounded up; a limit that is not set is the node's capacity. */
export function resourceFieldOf(
  { resources = {} }: Partial<Pick<Frozen<Container>, 'resources'>>,
  { resource, divisor }: Frozen<ResourceFieldSelector>,
): string {
  const [kind, name] = [resource.split('.')[0], resource.slice(resource.indexOf('.') + 1)]
  const text =
    kind === 'limits' ? (resources.limits?.[name] ?? defaultCapacity[name]) : (resources.requests?.[name] ?? '0')
  const unit = divisor === '' || divisor === '0' || divisor === undefined ? '1' : divisor
  return String(dividedUp(parseQuantity(text ?? '0'), parseQuantity(unit)))
}

interface Amount {
  readonly mantissa: bigint
  readonly scale: number
}

function dividedUp(amount: Amount, unit: Amount): bigint {
  const scale = Math.min(amount.scale, unit.scale)
  const at = ({ mantissa, scale: own }: Amount): bigint => mantissa * 10n ** BigInt(own - scale)
  const [whole, part] = [at(amount), at(unit)]
  return part <= 0n ? whole : (whole + part - 1n) / part
}
