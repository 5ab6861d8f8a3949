// Controllers at work in the process of their server: CPU of that process for each object, beside the creation of a plain
// ConfigMap of 1 KB in the same run. No node is needed: pods stay pending and are deleted at once.
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const atOnce = 16
const limitMs = 120_000

const strategic = 'application/strategic-merge-patch+json'

interface EndpointSlices {
  readonly items: readonly { readonly endpoints?: readonly { readonly conditions: { readonly ready?: boolean } }[] }[]
}

type Recorder = (name: string, cost: string, more: string) => void

export async function benchControllers(target: Target, record: Recorder): Promise<void> {
  const client = createClient(target, atOnce)
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; body: string }> =>
    await client.request(method, path, body === undefined ? undefined : JSON.stringify(body))

  async function several(count: number, each: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) await each(next++)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  async function count(path: string): Promise<number> {
    const { status, body } = await send('GET', `${path}?limit=1`)
    if (status === 404) return 0
    const { items, metadata } = JSON.parse(body) as { items: unknown[]; metadata: { remainingItemCount?: number } }
    return items.length + (metadata.remainingItemCount ?? 0)
  }

  async function until(isDone: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + limitMs
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error('the controllers did not get there in time')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function makeNamespace(name: string): Promise<void> {
    await send('POST', '/api/v1/namespaces', { metadata: { name } })
    await until(async () => (await send('GET', `/api/v1/namespaces/${name}/serviceaccounts/default`)).status === 200)
  }

  let plainUs = 0
  async function measure(
    name: string,
    objects: number,
    begin: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ): Promise<void> {
    const [cpuUs, startedMs] = [cpuMicroseconds(target.pid), performance.now()]
    await begin()
    await until(isDone)
    const us = (cpuMicroseconds(target.pid) - cpuUs) / objects
    const rate = Math.round(objects / ((performance.now() - startedMs) / 1000))
    const ratio = plainUs === 0 ? '' : `, ${(us / plainUs).toFixed(2)} × plain`
    record(name, `${Math.round(us)} µs`, `${rate}/s${ratio}`)
    if (plainUs === 0) plainUs = us
  }

  /** Pods of headless services become ready, and their endpoints with them. */
  async function readyEndpoints(): Promise<void> {
    const [pods, services, namespace] = [500, 50, '/api/v1/namespaces/bench-e']
    await makeNamespace('bench-e')
    await send('POST', '/api/v1/nodes', { metadata: { name: 'nowhere' } })
    await several(pods, (index) =>
      send('POST', `${namespace}/pods`, {
        metadata: { name: `p${index}`, labels: { app: `s${index % services}` } },
        spec: { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] },
      }),
    )
    await several(services, (index) =>
      send('POST', `${namespace}/services`, {
        metadata: { name: `s${index}` },
        spec: { clusterIP: 'None', selector: { app: `s${index}` }, ports: [{ port: 80 }] },
      }),
    )
    // Else its pods are taken for not ready; it counts as ready for 50 s.
    const status = { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }] }
    await client.request('PATCH', '/api/v1/nodes/nowhere/status', JSON.stringify({ status }), true, strategic)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await measure(
      'ready endpoints into slices',
      pods,
      () =>
        several(pods, async (index) => {
          const podIP = `10.9.${index >> 8}.${index & 255}`
          const conditions = [{ type: 'Ready', status: 'True' }]
          const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions }
          await client.request(
            'PATCH',
            `${namespace}/pods/p${index}/status`,
            JSON.stringify({ status }),
            true,
            strategic,
          )
        }),
      async () => (await readyIn('/apis/discovery.k8s.io/v1/namespaces/bench-e/endpointslices')) === pods,
    )
  }

  async function readyIn(path: string): Promise<number> {
    const { items } = JSON.parse((await send('GET', path)).body) as EndpointSlices
    const endpoints = items.flatMap((slice) => slice.endpoints ?? [])
    return endpoints.filter(({ conditions }) => conditions.ready === true).length
  }

  const { resident } = memoryMb(target.pid)
  record('controllers, idle', `${resident} MB`, 'resident, API server included')
  await makeNamespace('bench-c')
  const core = '/api/v1/namespaces/bench-c'
  const apps = '/apis/apps/v1/namespaces/bench-c'
  const template = (app: string): object => ({
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '10m', memory: '16Mi' } } }] },
  })
  const workload = (name: string, replicas: number): object => ({
    metadata: { name },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name) },
  })
  const payload = 'x'.repeat(900)
  const make = (tag: string) => async (index: number) =>
    await send('POST', `${core}/configmaps`, { metadata: { name: `${tag}-${index}` }, data: { payload } })
  await several(1500, make('warm'))
  await measure(
    'plain ConfigMap, 1 KB',
    1500,
    () => several(1500, make('plain')),
    () => Promise.resolve(true),
  )

  await measure(
    'pods of Deployments of 10',
    1000,
    () => several(100, (index) => send('POST', `${apps}/deployments`, workload(`d${index}`, 10))),
    async () => (await count(`${core}/pods`)) === 1000,
  )
  await measure(
    'cascade of deleted Deployments',
    1100,
    () => send('DELETE', `${apps}/deployments?propagationPolicy=Background`),
    async () => (await count(`${core}/pods`)) + (await count(`${apps}/replicasets`)) === 0,
  )
  await measure(
    'pods of one ReplicaSet',
    2000,
    () => send('POST', `${apps}/replicasets`, workload('r', 2000)),
    async () => (await count(`${core}/pods`)) === 2000,
  )
  await measure(
    'pods of Jobs',
    300,
    () =>
      several(300, (index) =>
        send('POST', '/apis/batch/v1/namespaces/bench-c/jobs', {
          metadata: { name: `j${index}` },
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        }),
      ),
    async () => (await count(`${core}/pods`)) === 2300,
  )
  await readyEndpoints()
  await makeNamespace('bench-o')
  const owner = JSON.parse(
    (await send('POST', '/api/v1/namespaces/bench-o/configmaps', { metadata: { name: 'o' } })).body,
  ) as {
    metadata: { uid: string }
  }
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: owner.metadata.uid }]
  await several(3000, (index) =>
    send('POST', '/api/v1/namespaces/bench-o/secrets', { metadata: { name: `s${index}`, ownerReferences } }),
  )
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await measure(
    'owned objects collected',
    3000,
    () => send('DELETE', '/api/v1/namespaces/bench-o/configmaps/o?propagationPolicy=Background'),
    async () => (await count('/api/v1/namespaces/bench-o/secrets')) === 0,
  )
  await makeNamespace('bench-n')
  await several(5000, (index) =>
    send('POST', '/api/v1/namespaces/bench-n/configmaps', { metadata: { name: `c${index}` }, data: { payload } }),
  )
  await measure(
    'ConfigMaps of a deleted namespace',
    5000,
    () => send('DELETE', '/api/v1/namespaces/bench-n'),
    async () => (await send('GET', '/api/v1/namespaces/bench-n')).status === 404,
  )
  client.close()
}
