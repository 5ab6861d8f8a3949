// Custom resources: the cost of a definition, and of an object with five rules against a plain ConfigMap of its size.
// The figures are the server's own CPU.
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const definitions = 300
const objects = 3000
const atOnce = 32
const group = 'bench.example.com'
const namespace = 'bench-crd'

const described = (index: number): object => ({
  type: ['string', 'integer', 'boolean'][index % 3],
  description: `Field ${index}, described at the length that generated definitions have, so that their size is a usual one.`,
})
const fields = (count: number): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, described(index)]))

const spec = {
  type: 'object',
  required: ['replicas', 'name'],
  properties: {
    ...fields(55),
    replicas: { type: 'integer', minimum: 0, default: 1 },
    limit: { type: 'integer', default: 10 },
    name: { type: 'string', maxLength: 63, pattern: '^[a-z0-9-]+$' },
    ports: {
      type: 'array',
      maxItems: 32,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 32 }, port: { type: 'integer' } },
      },
    },
  },
  'x-kubernetes-validations': [
    'self.replicas <= self.limit',
    "self.name.startsWith('app-')",
    'self.ports.all(p, p.port > 0 && p.port < 65536)',
    'self.name == oldSelf.name',
    "self.ports.exists_one(p, p.name == 'main')",
  ].map((rule) => ({ rule })),
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const pathOfThings = (index: number): string => `/apis/${group}/v1/namespaces/${namespace}/things${index}`

export function definition(index: number): string {
  const names = {
    plural: `things${index}`,
    singular: `thing${index}`,
    kind: `Thing${index}`,
    listKind: `Thing${index}List`,
  }
  const openAPIV3Schema = { type: 'object', properties: { spec, status: { type: 'object', properties: fields(5) } } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things${index}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  })
}

function thing(index: number): string {
  const ports = ['main', 'metrics', 'admin'].map((name, place) => ({ name, port: 8080 + place }))
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Thing0',
    metadata: { name: `x-${index}`, labels: { app: 'bench' } },
    spec: { replicas: 3, limit: 5, name: `app-${index}`, ports, field0: 'x'.repeat(300), field3: 'y'.repeat(300) },
  })
}

function configMap(index: number): string {
  const metadata = { name: `p-${index}`, labels: { app: 'bench' } }
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { payload: 'x'.repeat(900) } })
}

export async function benchCrd(
  target: Target,
  record: (name: string, cost: string, more: string) => void,
): Promise<void> {
  const client = createClient(target, atOnce)
  const things = pathOfThings(0)
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`

  /** Microseconds of the server's CPU for each of so many requests. */
  async function cost(count: number, width: number, path: (index: number) => string, body?: (index: number) => string) {
    const before = cpuMicroseconds(target.pid)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        const index = next++
        const { status, body: text } = await client.request(body ? 'POST' : 'GET', path(index), body?.(index))
        if (status > 299) throw new Error(`${path(index)}: ${text.slice(0, 300)}`)
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
    return Math.round((cpuMicroseconds(target.pid) - before) / count)
  }

  const space = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await client.request('POST', '/api/v1/namespaces', space)
  const { resident } = memoryMb(target.pid)
  const each = await cost(definitions, 8, () => definitionsPath, definition)
  // The last one's first request waits until it is served.
  await client.request('GET', pathOfThings(definitions - 1))
  const grown = memoryMb(target.pid).resident - resident
  record(
    'definition of 60 fields, 5 rules',
    `${(each / 1000).toFixed(1)} ms`,
    `${Math.round((grown * 1024) / definitions)} KB resident each`,
  )

  await cost(
    300,
    atOnce,
    () => configMaps,
    (index) => configMap(objects + index),
  )
  const plain = await cost(objects, atOnce, () => configMaps, configMap)
  record('create ConfigMap, 1 KB', `${plain} µs`, '')
  await cost(
    300,
    atOnce,
    () => things,
    (index) => thing(objects + index),
  )
  const custom = await cost(objects, atOnce, () => things, thing)
  record('create custom object, 5 rules', `${custom} µs`, `${(custom / plain).toFixed(2)} of the ConfigMap`)
  const read = await cost(objects, atOnce, (index) => `${things}/x-${index % 500}`)
  const readPlain = await cost(objects, atOnce, (index) => `${configMaps}/p-${index % 500}`)
  record('get custom object', `${read} µs`, `${(read / readPlain).toFixed(2)} of the ConfigMap`)
  const listed = await cost(10, 1, () => things)
  record(`list ${objects} custom objects`, `${Math.round(listed / 1000)} ms`, '')
  client.close()
}
