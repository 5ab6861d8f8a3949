import type { Random } from '../../../lib/base/index.ts'

type Loose = Record<string, unknown>

const int32Max = 2_147_483_647
const numbers: readonly number[] = [0, 1, int32Max, int32Max - 1, 100_000, Number.MAX_SAFE_INTEGER]
const texts: Readonly<Record<string, readonly unknown[]>> = {
  schedule: ['* * * * *', '0 0 31 2 *', '59 * * 1-8 *', '0 0 29 2 0', '*/59 */23 */31 */12 *', '@every 1s'],
  timeZone: ['Pacific/Apia', 'America/Sao_Paulo', 'Africa/Monrovia', 'Antarctica/Troll'],
  succeededIndexes: ['0-2147483646', '0,2147483646', '1-2147483645'],
  maxUnavailable: ['100%', '0%', '2147483647%', 0, int32Max],
  minAvailable: ['100%', '0%', '2147483647%', 0, int32Max],
  maxSurge: ['100%', '0%', '2147483647%', int32Max],
  targetPort: [65_535, 'a', int32Max],
  podCIDR: ['0.0.0.0/0', '::/0', '0.0.0.0/32'],
  key: ['a', 'node.kubernetes.io/out-of-service'],
}
const quantities = [
  '1E18',
  '9223372036854775807',
  '1n',
  '0',
  '1E1000',
  '1e-9',
  '340282366920938463463374607431768211456',
  '8Ei',
]
const quantityPattern = /^\d+(\.\d+)?(m|[KMGTPE]i?)?$/
/** Selectors of labels that match every object. */
const everything = [{}, { matchExpressions: [{ key: 'no-label', operator: 'DoesNotExist' }] }]
const times = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z']
const longList = 3000
/** Longer items are not repeated: no server would take the list. */
const itemLengthMax = 300
const longText = 'x'.repeat(250_000)

/** A copy of the object with extreme values in some places; what makes an object itself stays. */
export function withExtremes(object: object, changes: number, random: Random): Loose {
  const copy = structuredClone(object) as Loose
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)] as T
  for (let change = 0; change < changes; change++) {
    const places = placesOf(copy)
    if (places.length === 0) break
    const { holder, name } = pick(places)
    holder[name] = extremeOf(name, holder[name], pick)
  }
  if (random.below(8) === 0) (copy['metadata'] as Loose)['annotations'] = { long: longText }
  return copy
}

interface Place {
  readonly holder: Loose
  readonly name: string
}

/** All fields below, but for those that say what the object is and what pods run. */
function placesOf(value: unknown, places: Place[] = []): readonly Place[] {
  if (Array.isArray(value)) for (const item of value.slice(0, 3)) placesOf(item, places)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return places
  for (const [name, inner] of Object.entries(value)) {
    if (fixed.has(name)) continue
    places.push({ holder: value as Loose, name })
    placesOf(inner, places)
  }
  return places
}

const fixed: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'containers',
  'scopes',
  'hard',
  'managedBy',
])

function extremeOf(name: string, value: unknown, pick: <T>(from: readonly T[]) => T): unknown {
  const known = texts[name]
  if (known) return pick(known)
  if (typeof value === 'number') return pick(numbers)
  if (Array.isArray(value)) return pick([[], value.length === 0 ? value : many(value[0])])
  if (/[sS]elector$/.test(name)) return pick(everything)
  if (typeof value !== 'string') return value
  if (quantityPattern.test(value)) return pick(quantities)
  if (/^\d{4}-.*Z$/.test(value)) return pick(times)
  return value
}

/** Many items like the first, with names, ports and addresses of their own. */
function many(first: unknown): unknown[] {
  if (JSON.stringify(first).length > itemLengthMax) return [first]
  return Array.from({ length: longList }, (_, index) => {
    if (typeof first !== 'object' || first === null)
      return typeof first === 'number' ? index + 1 : `${String(first)}${index}`
    const own: Loose = {}
    for (const [name, value] of Object.entries(first)) {
      if (name === 'ip') own[name] = `10.9.${index >> 8}.${index & 255}`
      else if (name === 'port' || name === 'containerPort') own[name] = index + 1
      else if (name === 'name' || name === 'key' || name === 'type')
        own[name] = typeof value === 'string' && /^[a-z]/.test(value) ? `${value}${index}` : value
      else own[name] = value
    }
    return own
  })
}

/** Parts of a status that others than controllers write, or a user with that right. */
export function extremeStatus(kind: string, random: Random): object | undefined {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)] as T
  const condition = (type: string) => ({
    type,
    status: pick(['True', 'False', 'Unknown']),
    lastTransitionTime: pick(times),
    lastProbeTime: pick(times),
  })
  switch (kind) {
    case 'Node':
      return {
        conditions: [{ ...condition('Ready'), lastHeartbeatTime: pick(times) }],
        capacity: { cpu: pick(quantities), pods: pick(quantities) },
      }
    case 'Pod':
      return {
        phase: pick(['Failed', 'Succeeded', 'Running']),
        startTime: pick(times),
        conditions: [condition('Ready')],
        podIPs: [{ ip: '10.0.0.1' }],
      }
    case 'Job':
      return {
        startTime: pick(times),
        active: int32Max,
        uncountedTerminatedPods: { succeeded: Array.from({ length: longList }, (_, index) => `u${index}`) },
      }
    case 'CronJob':
      return { lastScheduleTime: pick(times) }
    case 'HorizontalPodAutoscaler':
      return { lastScaleTime: pick(times), currentReplicas: int32Max, desiredReplicas: int32Max }
    case 'StatefulSet':
    case 'ReplicaSet':
    case 'Deployment':
      return { replicas: int32Max, readyReplicas: int32Max, collisionCount: int32Max }
    case 'PodDisruptionBudget':
      return {
        disruptedPods: Object.fromEntries(Array.from({ length: longList }, (_, index) => [`p${index}`, pick(times)])),
      }
    default:
      return undefined
  }
}
