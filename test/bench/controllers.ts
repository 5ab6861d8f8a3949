// Controllers at work: CPU for each object, beside the creation of a plain ConfigMap of 1 KB in the same run. They run in
// the process of their server, or in one of their own (`benchRemoteControllers`), where every step is taken twice: the
// first time much of the time goes into compiling code that runs for the first time. No node is needed: pods stay
// pending and are deleted at once.
import { createClient, type Target } from './client.ts'
import { connectionsOf, cpuMicroseconds, memoryMb, transferredBytes } from './process.ts'

const atOnce = 16
const limitMs = 120_000

const strategic = 'application/strategic-merge-patch+json'

interface EndpointSlices {
  readonly items: readonly { readonly endpoints?: readonly { readonly conditions: { readonly ready?: boolean } }[] }[]
}

type Recorder = (name: string, cost: string, more: string) => void

interface Work {
  readonly name: string
  /** Objects that the controllers bring about. */
  readonly objects: number
  begin(): Promise<unknown>
  isDone(): Promise<boolean>
}

/** Controllers in the process of their server. */
export async function benchControllers(target: Target, record: Recorder): Promise<void> {
  const workload = createWorkload(target)
  const { resident } = memoryMb(target.pid)
  record('controllers, idle', `${resident} MB`, 'resident, API server included')
  let plainUs = 0
  await workload.run('', '', async ({ name, objects, begin, isDone }) => {
    const [cpuUs, startedMs] = [cpuMicroseconds(target.pid), performance.now()]
    await begin()
    await workload.until(isDone)
    const us = (cpuMicroseconds(target.pid) - cpuUs) / objects
    const rate = Math.round(objects / ((performance.now() - startedMs) / 1000))
    const ratio = plainUs === 0 ? '' : `, ${(us / plainUs).toFixed(2)} × plain`
    record(name, `${Math.round(us)} µs`, `${rate}/s${ratio}`)
    if (plainUs === 0) plainUs = us
  })
  workload.close()
}

/**
 * A controller manager in a process of its own, beside its API server. `family`: only the step of that name, five times
 * more once it is warm, as one time is too short for a comparison.
 */
export async function benchRemoteControllers(
  target: Target,
  managerPid: number,
  family: string,
  record: Recorder,
): Promise<void> {
  const workload = createWorkload(target)
  const usage = async () => ({
    serverUs: cpuMicroseconds(target.pid),
    managerUs: cpuMicroseconds(managerPid),
    bytes: transferredBytes(managerPid),
    requests: await workload.requestsOfOthers(),
    atMs: performance.now(),
  })
  // Both have started, and the informers hold what there is.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  const memory = (when: string): void =>
    record(
      `memory, ${when}`,
      `${memoryMb(managerPid).resident} MB`,
      `resident, the manager; ${memoryMb(managerPid).peak} MB at the highest, API server ${memoryMb(target.pid).resident} MB`,
    )
  memory('idle')
  const more = family === '' ? [] : ['warm-2', 'warm-3', 'warm-4', 'warm-5', 'warm-6']
  for (const round of ['cold', 'warm', ...more]) {
    await workload.run(`-${round}`, family, async ({ name, objects, begin, isDone }) => {
      const before = await usage()
      await begin()
      await workload.until(isDone)
      const endMs = performance.now()
      const after = await usage()
      const each = (key: keyof typeof before): number => (after[key] - before[key]) / objects
      const [server, manager] = [Math.round(each('serverUs')), Math.round(each('managerUs'))]
      record(
        `${name}, ${round}`,
        `${server + manager} µs`,
        `server ${server}, manager ${manager}; ${Math.round((objects * 1000) / (endMs - before.atMs))}/s, ` +
          `${each('requests').toFixed(2)} requests, ${(each('bytes') / 1000).toFixed(1)} KB, ` +
          `${connectionsOf(managerPid, Number(new URL(target.url).port))} connections`,
      )
    })
    memory(`after the ${round} run`)
  }
  workload.close()
}

function createWorkload(target: Target) {
  const client = createClient(target, atOnce)
  let sent = 0
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; body: string }> => {
    sent++
    return await client.request(method, path, body === undefined ? undefined : JSON.stringify(body))
  }

  /** Requests that the server has answered, without ours. */
  async function requestsOfOthers(): Promise<number> {
    const own = sent
    const { body } = await send('GET', '/metrics')
    let total = 0
    for (const [, value] of body.matchAll(/^apiserver_request_total\{.*\} (\S+)$/gm)) total += Number(value)
    return total - own
  }

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

  type Measure = (work: Work) => Promise<void>

  const families: Readonly<Record<string, (namespace: string, measure: Measure) => Promise<void>>> = {
    plain: plainObjects,
    deployments,
    replicas,
    jobs,
    endpoints: readyEndpoints,
    owned: ownedObjects,
    namespace,
  }

  /** Runs every step, or the named one, in namespaces of their own, whose names end in `suffix`. */
  async function run(suffix: string, family: string, measure: Measure): Promise<void> {
    if (family !== '' && !(family in families))
      throw new Error(`no family ${family} of ${Object.keys(families).join(', ')}`)
    for (const [name, step] of Object.entries(families)) {
      if (family !== '' && family !== name) continue
      await makeNamespace(`bench-${name}${suffix}`)
      await step(`bench-${name}${suffix}`, measure)
    }
  }

  const payload = 'x'.repeat(900)
  async function plainObjects(name: string, measure: Measure): Promise<void> {
    const path = `/api/v1/namespaces/${name}/configmaps`
    const make = (tag: string) => async (index: number) =>
      await send('POST', path, { metadata: { name: `${tag}-${index}` }, data: { payload } })
    await several(1500, make('warm'))
    await measure({
      name: 'plain ConfigMap, 1 KB',
      objects: 1500,
      begin: () => several(1500, make('plain')),
      isDone: () => Promise.resolve(true),
    })
  }

  const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '10m', memory: '16Mi' } } }] }
  const replicated = (app: string, count: number): object => ({
    metadata: { name: app },
    spec: {
      replicas: count,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec },
    },
  })

  async function deployments(namespace: string, measure: Measure): Promise<void> {
    const [core, apps] = [`/api/v1/namespaces/${namespace}`, `/apis/apps/v1/namespaces/${namespace}`]
    await measure({
      name: 'pods of Deployments of 10',
      objects: 1000,
      begin: () => several(100, (index) => send('POST', `${apps}/deployments`, replicated(`d${index}`, 10))),
      isDone: async () => (await count(`${core}/pods`)) === 1000,
    })
    await measure({
      name: 'cascade of deleted Deployments',
      objects: 1100,
      begin: () => send('DELETE', `${apps}/deployments?propagationPolicy=Background`),
      isDone: async () => (await count(`${core}/pods`)) + (await count(`${apps}/replicasets`)) === 0,
    })
  }

  async function replicas(namespace: string, measure: Measure): Promise<void> {
    await measure({
      name: 'pods of one ReplicaSet',
      objects: 2000,
      begin: () => send('POST', `/apis/apps/v1/namespaces/${namespace}/replicasets`, replicated('r', 2000)),
      isDone: async () => (await count(`/api/v1/namespaces/${namespace}/pods`)) === 2000,
    })
  }

  async function jobs(namespace: string, measure: Measure): Promise<void> {
    await measure({
      name: 'pods of Jobs',
      objects: 300,
      begin: () =>
        several(300, (index) =>
          send('POST', `/apis/batch/v1/namespaces/${namespace}/jobs`, {
            metadata: { name: `j${index}` },
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          }),
        ),
      isDone: async () => (await count(`/api/v1/namespaces/${namespace}/pods`)) === 300,
    })
  }

  /** Pods of headless services become ready, and their endpoints with them. */
  async function readyEndpoints(name: string, measure: Measure): Promise<void> {
    const [pods, services, path] = [500, 50, `/api/v1/namespaces/${name}`]
    await send('POST', '/api/v1/nodes', { metadata: { name: 'nowhere' } })
    await several(pods, (index) =>
      send('POST', `${path}/pods`, {
        metadata: { name: `p${index}`, labels: { app: `s${index % services}` } },
        spec: { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] },
      }),
    )
    await several(services, (index) =>
      send('POST', `${path}/services`, {
        metadata: { name: `s${index}` },
        spec: { clusterIP: 'None', selector: { app: `s${index}` }, ports: [{ port: 80 }] },
      }),
    )
    const patch = async (url: string, status: object): Promise<void> => {
      sent++
      await client.request('PATCH', url, JSON.stringify({ status }), true, strategic)
    }
    // Else its pods are taken for not ready; it counts as ready for 50 s.
    const beat = { type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }
    await patch('/api/v1/nodes/nowhere/status', { conditions: [beat] })
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await measure({
      name: 'ready endpoints into slices',
      objects: pods,
      begin: () =>
        several(pods, async (index) => {
          const podIP = `10.9.${index >> 8}.${index & 255}`
          const conditions = [{ type: 'Ready', status: 'True' }]
          await patch(`${path}/pods/p${index}/status`, { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions })
        }),
      isDone: async () => (await readyIn(`/apis/discovery.k8s.io/v1/namespaces/${name}/endpointslices`)) === pods,
    })
    // Else the silent node would make work for controllers later on.
    await send('DELETE', `${path}/pods?gracePeriodSeconds=0`)
    await send('DELETE', '/api/v1/nodes/nowhere')
  }

  async function readyIn(path: string): Promise<number> {
    const { items } = JSON.parse((await send('GET', path)).body) as EndpointSlices
    const endpoints = items.flatMap((slice) => slice.endpoints ?? [])
    return endpoints.filter(({ conditions }) => conditions.ready === true).length
  }

  async function ownedObjects(name: string, measure: Measure): Promise<void> {
    const path = `/api/v1/namespaces/${name}`
    const answer = await send('POST', `${path}/configmaps`, { metadata: { name: 'o' } })
    const { metadata } = JSON.parse(answer.body) as { metadata: { uid: string } }
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: metadata.uid }]
    await several(3000, (index) =>
      send('POST', `${path}/secrets`, { metadata: { name: `s${index}`, ownerReferences } }),
    )
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await measure({
      name: 'owned objects collected',
      objects: 3000,
      begin: () => send('DELETE', `${path}/configmaps/o?propagationPolicy=Background`),
      isDone: async () => (await count(`${path}/secrets`)) === 0,
    })
  }

  async function namespace(name: string, measure: Measure): Promise<void> {
    const path = `/api/v1/namespaces/${name}`
    await several(5000, (index) =>
      send('POST', `${path}/configmaps`, { metadata: { name: `c${index}` }, data: { payload } }),
    )
    await measure({
      name: 'ConfigMaps of a deleted namespace',
      objects: 5000,
      begin: () => send('DELETE', path),
      isDone: async () => (await send('GET', path)).status === 404,
    })
  }

  return { run, until, requestsOfOthers, close: () => client.close() }
}
