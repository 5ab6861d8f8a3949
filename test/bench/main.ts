// `npm run bench`; `npm run bench -- --help` says what there is.
// Loads a server of its own in a process of its own and a bare node:https server in the same run; reports the server's
// own CPU (utime+stime) per operation, which holds better than wall time on a busy machine, as a Markdown table.
import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleClone } from '../../hack/bundle.ts'
import { programFile } from '../../hack/programfile.ts'
import { findEtcd } from '../../hack/programs.ts'
import { adminToken, type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { endWithUs } from '../support/child.ts'
import { type EtcdServer, startEtcd } from '../support/etcd.ts'
import { freePort } from '../support/ports.ts'
import { benchAdmission } from './admission.ts'
import { createClient, load, type Target } from './client.ts'
import { benchCluster } from './cluster.ts'
import { benchConsole } from './console.ts'
import { benchConsoleMemory } from './consolememory.ts'
import { benchConsoles } from './consoles.ts'
import { benchControllers, benchRemoteControllers } from './controllers.ts'
import { benchCrd } from './crd.ts'
import { benchDefinitions } from './definitions.ts'
import { benchEncryption } from './encryption.ts'
import { benchHollow } from './hollow.ts'
import { benchHostile } from './hostile.ts'
import { loadOverHttp2 } from './http2load.ts'
import { benchLabels } from './labels.ts'
import { benchNamespace } from './namespace.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'
import { benchProcesses } from './processes.ts'
import { benchReplicas } from './replicas.ts'
import { benchRevisions } from './revisions.ts'
import { benchSize } from './size.ts'
import { type Watchers, watchOverHttp1, watchOverHttp2 } from './watchers.ts'
import { benchWrites } from './writes.ts'

const { values: options } = parseArgs({
  options: {
    storage: { type: 'string', default: 'embedded' },
    objects: { type: 'string' },
    watchers: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    family: { type: 'string', default: '' },
    pods: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    revisions: { type: 'string', default: '1000000' },
    nodes: { type: 'string', default: '100' },
    remote: { type: 'boolean', default: false },
    before: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const help = `Loads a server of its own, in a process of its own, and shows the server's CPU for each operation as a Markdown table.

Usage: npm run bench [-- FLAGS]

  --storage=embedded|etcd   Default: embedded.
  --objects=N               ConfigMaps of 1 KB that are there (default 10000).
  --watchers=N              Default 1000.
  --seconds=N               For each load (default 8).
  --only=A,B                Of get, get2, list, initial, watch, watch2, burst, burst2, many, create, create2, change,
                            deployments, pods, crd, admission, planes; default: all.

Runs of their own, by --only:

  size [--pods=20000]             Reads of pods of some 5 KB.
  labels [--pods=20000]           Lists by label, few of the objects match.
  layers                          What each layer adds to a get and a create.
  writes [--before=CLONE] [--family=NAME]
                                  Creates, updates, patches, applies and deletions, on etcd. --before: in turns with the
                                  server of another clone of the project, each on an etcd of its own.
  cluster [--pods=150000]         A start with them, streaming lists, and the informers of 300 nodes at once.
  definitions                     A start with 2,000 definitions of custom resources.
  encryption                      Encryption at rest, by provider.
  revisions [--revisions=1000000] An embedded store that has seen so many writes.
  replicas [--minutes=1]          Three replicas on one etcd.
  processes [--pods=150000]       One process and two on one etcd: what they serve in a second, and their memory.
  controllers [--remote [--family=NAME]]
                                  \`pilothouse up\` with all controllers. --remote: an API server on etcd, and the
                                  controller manager as a process of its own. --family: one step, seven times.
  hollow [--nodes=100]            The same in memory, with hollow nodes: pods become ready.
  console [--objects=50000]       The console in a browser, with so many rows that change.
  consolememory [--minutes=1]     The memory of a page over so many simulated minutes of events; grows: exit code 1.
  consoles                        200 open consoles with a table of 5,000 pods.
  namespace [--objects=70000]     The same, as a namespace with so many custom objects is deleted.
  hostile [--family=NAME]         Requests that are made to hold the loop.
`

const objects = Number(options.objects ?? 10_000)
const seconds = Number(options.seconds)
const rows: [string, string, string][] = []
const configMaps = '/api/v1/namespaces/bench/configmaps'
const watched = '/api/v1/namespaces/bench-watch/configmaps'
const padding = 'x'.repeat(900)

function record(name: string, cost: string, more: string): void {
  rows.push([name, cost, more])
  console.log(`${name.padEnd(36)} ${cost.padEnd(22)} ${more}`)
}

function recordMemory(target: Target, when: string): void {
  const { resident, peak, file } = memoryMb(target.pid)
  record(`memory, ${when}`, `${resident} MB`, `${file} MB of it pages of files; ${peak} MB at the highest`)
}

function body(name: string): string {
  const metadata = { name, labels: { app: 'bench', shard: String(name.length % 10) } }
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { payload: padding } })
}

const luaCreate = (tag: string): string => `
local n = 0
local pad = string.rep("x", 900)
request = function()
  n = n + 1
  local body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"w-${tag}-' .. n .. '"},"data":{"payload":"' .. pad .. '"}}'
  return wrk.format("POST", nil, {["Content-Type"] = "application/json", ["Authorization"] = "Bearer ${adminToken}"}, body)
end`

/** Changes one of the first thousand objects, each request another one. */
const luaChange = (path: string, query: string, mediaType: string, before: string): string => `
local n = 0
request = function()
  n = n + 1
  local name = string.format("cm-%06d", n % ${Math.min(objects, 1000)})
  local body = ${before} .. '"data":{"k":"' .. n .. '"}}'
  return wrk.format("PATCH", "${path}/" .. name .. "${query}", {["Content-Type"] = "${mediaType}", ["Authorization"] = "Bearer ${adminToken}"}, body)
end`

const podTemplate = {
  metadata: { labels: { app: 'bench' } },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1.2.3',
        args: ['--listen=:8080', '--verbose'],
        ports: [{ name: 'http', containerPort: 8080 }],
        env: Array.from({ length: 12 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value number ${index}` })),
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        livenessProbe: { httpGet: { path: '/live', port: 'http' }, periodSeconds: 10 },
        readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
        volumeMounts: [
          { name: 'config', mountPath: '/etc/app' },
          { name: 'data', mountPath: '/data' },
        ],
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: 'app' } },
      { name: 'data', emptyDir: {} },
    ],
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'bench', effect: 'NoSchedule' }],
  },
}

const luaPod = (tag: string): string => `
local n = 0
request = function()
  n = n + 1
  local body = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-${tag}-' .. n .. '","labels":{"app":"bench"}},"spec":${JSON.stringify(podTemplate.spec)}}'
  return wrk.format("POST", nil, {["Content-Type"] = "application/json", ["Authorization"] = "Bearer ${adminToken}"}, body)
end`

async function measured<T>(target: Target, work: () => Promise<T>): Promise<{ result: T; cpuUs: number; ms: number }> {
  const cpu = cpuMicroseconds(target.pid)
  const started = performance.now()
  const result = await work()
  return { result, cpuUs: cpuMicroseconds(target.pid) - cpu, ms: performance.now() - started }
}

/** Node samples the loop's delay by a timer of this period, and counts the period in. */
const lagPeriodMs = 10

/** By how much a timer of the server was late at most since it was last asked, in ms. */
async function loopHeldMs(target: Target): Promise<number> {
  const client = createClient(target)
  const text = (await client.request('GET', '/metrics')).body
  client.close()
  return Number(/^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/m.exec(text)?.[1] ?? Number.NaN) * 1000 - lagPeriodMs
}

/** As the server's metrics have it. */
async function objectCount(target: Target): Promise<number> {
  const client = createClient(target)
  const text = (await client.request('GET', '/metrics')).body
  client.close()
  let total = 0
  for (const [, count] of text.matchAll(/^apiserver_resource_objects\{.*\} (\d+)/gm))
    total += Math.max(0, Number(count))
  return total
}

async function fill(target: Target): Promise<void> {
  const client = createClient(target, 32)
  for (const name of ['bench', 'bench-watch'])
    await client.request(
      'POST',
      '/api/v1/namespaces',
      JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    )
  recordMemory(target, 'idle')
  let next = 0
  const { cpuUs } = await measured(target, () =>
    Promise.all(
      Array.from({ length: 32 }, async () => {
        while (next < objects) {
          const name = `cm-${String(next++).padStart(6, '0')}`
          const answer = await client.request('POST', configMaps, body(name))
          if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status} ${answer.body}`)
        }
      }),
    ),
  )
  record(`create, ${objects} to fill`, `${Math.round(cpuUs / objects)} µs`, '32 connections')
  client.close()
}

async function benchGet(target: Target, bare: Target): Promise<void> {
  const yardstick = await measured(bare, () => load(bare, '/', { connections: 32, seconds }))
  const bareUs = yardstick.cpuUs / yardstick.result.requests
  record('bare node:https', `${bareUs.toFixed(1)} µs`, `${yardstick.result.perSecond}/s`)
  for (const [name, query] of [
    ['get', ''],
    ['get resourceVersion=0', '?resourceVersion=0'],
  ]) {
    const { result, cpuUs } = await measured(target, () =>
      load(target, `${configMaps}/cm-000007${query}`, { connections: 32, seconds }),
    )
    const us = cpuUs / result.requests
    record(
      `${name}`,
      `${us.toFixed(1)} µs`,
      `${(us / bareUs).toFixed(2)} × bare, ${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
    )
  }
}

async function benchGetOverHttp2(target: Target, { http2 }: BareTargets): Promise<void> {
  const loaded = (of: Target, path: string): ReturnType<typeof loadOverHttp2> =>
    loadOverHttp2(of, () => ({ path }), { streams: 4, seconds })
  const yardstick = await measured(http2, () => loaded(http2, '/'))
  const bareUs = yardstick.cpuUs / yardstick.result.requests
  record('bare node:http2', `${bareUs.toFixed(1)} µs`, `${yardstick.result.perSecond}/s`)
  const { result, cpuUs } = await measured(target, () => loaded(target, `${configMaps}/cm-000007`))
  const us = cpuUs / result.requests
  record(
    'get over HTTP/2',
    `${us.toFixed(1)} µs`,
    `${(us / bareUs).toFixed(2)} × bare, ${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
  )
}

async function benchList(target: Target): Promise<void> {
  const client = createClient(target)
  for (const [name, query, times] of [
    ['list all', '', 5],
    ['list all resourceVersion=0', '?resourceVersion=0', 10],
    ['list by label', '?labelSelector=shard%3D9', 5],
    ['list page of 500', '?limit=500', 40],
  ] as const) {
    await client.request('GET', configMaps + query, undefined, false)
    await loopHeldMs(target)
    const { result, cpuUs } = await measured(target, async () => {
      let bytes = 0
      for (let i = 0; i < times; i++) bytes += (await client.request('GET', configMaps + query, undefined, false)).bytes
      return bytes / times
    })
    const held = await loopHeldMs(target)
    record(
      name,
      `${(cpuUs / times / 1000).toFixed(1)} ms`,
      `${(result / 1e6).toFixed(1)} MB, loop held ${held.toFixed(0)} ms at most`,
    )
  }
  const before = memoryMb(target.pid).resident
  let highest = 0
  const sampler = setInterval(() => (highest = Math.max(highest, memoryMb(target.pid).resident)), 5)
  const { cpuUs } = await measured(target, async () => {
    for (let round = 0; round < 2; round++)
      await Promise.all(
        Array.from({ length: 8 }, () => client.request('GET', `${configMaps}?resourceVersion=0`, undefined, false)),
      )
  })
  clearInterval(sampler)
  record('list all, 8 at once', `${(cpuUs / 16 / 1000).toFixed(1)} ms`, `peak ${highest - before} MB above before`)
  client.close()
}

async function benchCreate(target: Target): Promise<void> {
  for (const connections of [1, 64]) {
    const script = luaCreate(`${Date.now().toString(36)}-${connections}`)
    const { result, cpuUs } = await measured(target, () => load(target, configMaps, { connections, seconds, script }))
    const us = Math.round(cpuUs / result.requests)
    record(
      `create, ${connections} connections`,
      `${us} µs`,
      `${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
    )
  }
}

async function benchCreateOverHttp2(target: Target): Promise<void> {
  const tag = Date.now().toString(36)
  let made = 0
  const next = () => ({ path: configMaps, body: body(`h-${tag}-${made++}`) })
  const { result, cpuUs } = await measured(target, () => loadOverHttp2(target, next, { streams: 8, seconds }))
  record(
    'create over HTTP/2, 64 at once',
    `${Math.round(cpuUs / result.requests)} µs`,
    `${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
  )
}

async function benchChange(target: Target): Promise<void> {
  const merge = luaChange(configMaps, '', 'application/merge-patch+json', "'{'")
  const head = `'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"' .. name .. '","namespace":"bench"},'`
  const apply = luaChange(configMaps, '?fieldManager=bench&force=true', 'application/apply-patch+yaml', head)
  for (const [name, script] of [
    ['merge patch, 16 connections', merge],
    ['apply, 16 connections', apply],
  ] as const) {
    const { result, cpuUs } = await measured(target, () =>
      load(target, configMaps, { connections: 16, seconds, script }),
    )
    record(
      name,
      `${Math.round(cpuUs / result.requests)} µs`,
      `${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
    )
  }
}

/** Three managers apply the same Deployment of 3 KB in turn, each another number of replicas in its own annotation. */
const luaDeployment = (path: string): string => {
  const template = { ...podTemplate, metadata: { labels: { app: 'bench' } } }
  const rest = JSON.stringify({ selector: { matchLabels: { app: 'bench' } }, template }).slice(1)
  return `
local n = 0
request = function()
  n = n + 1
  local name = "d-" .. (n % 100)
  local manager = "manager-" .. (math.floor(n / 100) % 3)
  local body = '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"' .. name .. '","annotations":{"' .. manager .. '":"' .. n .. '"}},"spec":{${rest}}'
  return wrk.format("PATCH", "${path}/" .. name .. "?force=true&fieldManager=" .. manager, {["Content-Type"] = "application/apply-patch+yaml", ["Authorization"] = "Bearer ${adminToken}"}, body)
end`
}

/** Twice: this is so much code that its compiling still shows in the first run. */
async function benchDeployments(target: Target): Promise<void> {
  const path = '/apis/apps/v1/namespaces/bench/deployments'
  const script = luaDeployment(path)
  for (const when of ['the first time', 'once more']) {
    const { result, cpuUs } = await measured(target, () => load(target, path, { connections: 16, seconds, script }))
    record(
      `apply a Deployment, ${when}`,
      `${Math.round(cpuUs / result.requests)} µs`,
      `three managers, 16 connections, ${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
    )
  }
}

async function benchPods(target: Target): Promise<void> {
  const path = '/api/v1/namespaces/bench/pods'
  const script = luaPod(Date.now().toString(36))
  const { result, cpuUs } = await measured(target, () => load(target, path, { connections: 64, seconds, script }))
  const us = Math.round(cpuUs / result.requests)
  record(
    'create pods, 64 connections',
    `${us} µs`,
    `${result.perSecond}/s, p99 ${result.p99}, ${result.failures} failed`,
  )
}

async function resourceVersion(target: Target): Promise<string> {
  const client = createClient(target)
  const list = JSON.parse((await client.request('GET', `${watched}?limit=1`)).body) as {
    metadata: { resourceVersion: string }
  }
  client.close()
  return list.metadata.resourceVersion
}

async function watchPath(target: Target): Promise<string> {
  return `${watched}?watch=1&timeoutSeconds=300&resourceVersion=${await resourceVersion(target)}`
}

async function until(condition: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function benchFanOut(
  target: Target,
  name: string,
  open: (target: Target, path: string, count: number) => Promise<Watchers>,
  count: number,
  updates: number,
): Promise<void> {
  const before = memoryMb(target.pid).resident
  const watchers = await open(target, await watchPath(target), count)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const perWatcherKb = ((memoryMb(target.pid).resident - before) * 1024) / count
  const client = createClient(target)
  const late: number[] = []
  await loopHeldMs(target)
  const tag = Date.now().toString(36)
  const { cpuUs } = await measured(target, async () => {
    for (let update = 0; update < updates; update++) {
      const expected = watchers.received() + count
      const answer = await client.request('POST', watched, body(`${tag}-${update}`))
      const answeredAtMs = performance.now()
      if (answer.status !== 201) throw new Error(`create: ${answer.status} ${answer.body}`)
      await until(() => watchers.received() >= expected, 10_000)
      late.push(watchers.lastAtMs() - answeredAtMs)
    }
  })
  const held = await loopHeldMs(target)
  late.sort((a, b) => a - b)
  const share = watchers.received() / (count * updates)
  record(
    `${name}, ${count} watchers`,
    `${(cpuUs / watchers.received()).toFixed(1)} µs a delivery`,
    `last one ${late[updates >> 1]?.toFixed(1)} ms after the answer (p50), ${late[Math.floor(updates * 0.99)]?.toFixed(1)} (p99); ` +
      `loop held ${held.toFixed(0)} ms at most; ${(share * 100).toFixed(1)} % delivered; ${perWatcherKb.toFixed(0)} KB a watcher`,
  )
  watchers.close()
  client.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** Watches that begin with the state: as all informers do when a server comes back. */
async function benchInitial(
  target: Target,
  name: string,
  open: (target: Target, path: string, count: number) => Promise<Watchers>,
): Promise<void> {
  const count = 20
  const path = `${configMaps}?watch=1&resourceVersion=0&timeoutSeconds=300`
  await loopHeldMs(target)
  const { result: watchers, cpuUs } = await measured(target, async () => {
    const opened = await open(target, path, count)
    await until(() => opened.received() >= count * objects, 60_000)
    return opened
  })
  const held = await loopHeldMs(target)
  record(
    `${name}, ${count} watches of ${objects} objects`,
    `${(cpuUs / watchers.received()).toFixed(2)} µs an event`,
    `loop held ${held.toFixed(0)} ms at most; ${((watchers.received() / (count * objects)) * 100).toFixed(1)} % delivered`,
  )
  watchers.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
}

/** A bare server's CPU for writing the same bytes to as many open answers, each with a write of its own. */
async function benchBareFanOut(
  { plain, http2 }: BareTargets,
  name: string,
  open: (target: Target, path: string, count: number) => Promise<Watchers>,
  count: number,
  deliveries: number,
): Promise<void> {
  const watchers = await open(open === watchOverHttp2 ? http2 : plain, '/watch', count)
  const client = createClient(plain)
  const frame = `${JSON.stringify({ type: 'ADDED', object: body('x'.repeat(300)) })}\n`
  const { cpuUs } = await measured(plain, async () => {
    for (let delivery = 1; delivery <= deliveries; delivery++) {
      await client.request('POST', '/', frame)
      await until(() => watchers.received() >= delivery * count, 10_000)
    }
  })
  record(`bare ${name}, ${count} open answers`, `${(cpuUs / watchers.received()).toFixed(1)} µs a write`, '')
  watchers.close()
  client.close()
}

async function benchBurst(
  target: Target,
  name: string,
  open: (target: Target, path: string, count: number) => Promise<Watchers>,
): Promise<void> {
  const count = 100
  const watchers = await open(target, await watchPath(target), count)
  const client = createClient(target)
  const tag = Date.now().toString(36)
  let written = 0
  const { cpuUs, ms } = await measured(target, async () => {
    const end = performance.now() + 5000
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (performance.now() < end) await client.request('POST', watched, body(`${tag}-b-${written++}`))
      }),
    )
    await until(() => watchers.received() >= written * count, 20_000)
  })
  const share = (watchers.received() / (written * count)) * 100
  record(
    `${name}, 100 watchers, 8 writers`,
    `${(cpuUs / watchers.received()).toFixed(2)} µs a delivery`,
    `${share.toFixed(2)} % delivered, ${Math.round(watchers.received() / (ms / 1000))} deliveries/s, writes included`,
  )
  watchers.close()
  client.close()
}

/** One process at two ports. */
interface BareTargets {
  readonly plain: Target
  readonly http2: Target
}

async function startBare(folder: string): Promise<BareTargets & { stop(): void }> {
  const certificates = readdirSync(folder, { recursive: true }).map(String)
  const certificate = certificates.find((file) => /certs-.*\.crt$/.test(file)) ?? ''
  const key = certificates.find((file) => /certs-.*\.key$/.test(file)) ?? ''
  const program = join(import.meta.dirname, 'bare.ts')
  const child = spawn(process.execPath, [program, join(folder, certificate), join(folder, key)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const ports: string[] = []
  for await (const line of createInterface(child.stdout)) if (ports.push(line) === 2) break
  const [plain, http2] = ports.map((port) => ({ url: `https://127.0.0.1:${port}`, pid: child.pid ?? 0, token: '' }))
  if (!plain || !http2) throw new Error('the bare server did not start')
  return { plain, http2, stop: () => void child.kill() }
}

async function main(): Promise<void> {
  // Programs of a clone run bundled (cmd/clonebundle.ts): the first start would make the bundle.
  await bundleClone()
  if (options.help) return void process.stdout.write(help)
  if (options.only === 'layers') {
    execFileSync(process.execPath, [join(import.meta.dirname, 'layers.ts')], { stdio: 'inherit' })
    return
  }
  const folder = scratchFolder('bench')
  let etcd: EtcdServer | undefined
  let server: ServerProcess | undefined
  try {
    if (options.storage === 'etcd') process.env['PILOTHOUSE_ETCD'] ??= (await findEtcd()) ?? ''
    if (options.storage === 'etcd') etcd = await startEtcd()
    const storage = etcd
      ? [`--etcd-servers=${etcd.url}`]
      : ['--storage-backend=embedded', `--data-dir=${folder.path}/data`]
    const started = performance.now()
    const start = (...flags: string[]): Promise<ServerProcess> =>
      startServer(
        'cmd/apiserver/main.ts',
        [...storage, '--disable-admission-plugins=ServiceAccount', ...flags],
        folder.path,
      )
    if (options.only === 'size') {
      // It starts and restarts a server with nothing else in it.
      await benchSize({ pods: Number(options.pods ?? 20_000), start, record, loopHeldMs })
      printTable()
      return
    }
    if (options.only === 'labels') {
      await benchLabels({ configMaps: objects, pods: Number(options.pods ?? 20_000), start, record })
      printTable()
      return
    }
    if (options.only === 'cluster') {
      const startStreaming = (): Promise<ServerProcess> => start('--feature-gates=WatchList=true')
      const pods = Number(options.pods ?? 150_000)
      await benchCluster({ pods, nodes: 300, start: startStreaming, record, loopHeldMs })
      printTable()
      return
    }
    if (options.only === 'definitions') {
      await benchDefinitions({ count: 2000, start, record })
      printTable()
      return
    }
    if (options.only === 'replicas') {
      process.env['PILOTHOUSE_ETCD'] ??= (await findEtcd()) ?? ''
      await benchReplicas(folder.path, Number(options.minutes), record)
      printTable()
      return
    }
    if (options.only === 'processes') {
      process.env['PILOTHOUSE_ETCD'] ??= (await findEtcd()) ?? ''
      etcd ??= await startEtcd({ flags: ['--quota-backend-bytes=8000000000'] })
      const { url } = etcd
      const startOnEtcd = (...flags: string[]): Promise<ServerProcess> =>
        startServer(
          'cmd/apiserver/main.ts',
          [`--etcd-servers=${url}`, '--disable-admission-plugins=ServiceAccount', ...flags],
          folder.path,
          { readyTimeoutMs: 300_000 },
        )
      const pods = Number(options.pods ?? 150_000)
      await benchProcesses({ pods, seconds, etcd, folder: `${folder.path}/mirror`, start: startOnEtcd, record })
      printTable()
      return
    }
    if (options.only === 'writes') {
      await runWrites(folder.path)
      printTable()
      return
    }
    if (options.only === 'revisions') {
      await benchRevisions(Number(options.revisions), record)
      printTable()
      return
    }
    if (options.only === 'encryption') {
      await benchEncryption(record)
      printTable()
      return
    }
    if (options.only === 'controllers' && options.remote) {
      process.env['PILOTHOUSE_ETCD'] ??= (await findEtcd()) ?? ''
      etcd ??= await startEtcd()
      server = await startServer(
        'cmd/apiserver/main.ts',
        [`--etcd-servers=${etcd.url}`, ...issuerFlags(folder.path)],
        folder.path,
      )
      const manager = await startManager(server.url, folder.path)
      const target = { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
      await benchRemoteControllers(target, manager.pid, options.family, record)
      await manager.stop()
      printTable()
      return
    }
    if (options.only === 'controllers') {
      const flags = [`--data-dir=${folder.path}/data`, '--controllers=*']
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      record('start until ready', `${Math.round(performance.now() - started)} ms`, 'pilothouse up, all controllers')
      await benchControllers({ url: server.url, pid: server.process.pid ?? 0, token: adminToken }, record)
      printTable()
      return
    }
    if (options.only === 'console') {
      // The page is part of the bundle.
      process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
      const flags = [`--data-dir=${folder.path}/data`, '--storage-backend=memory']
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      const target = { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
      await benchConsole(target, server.url, Number(options.objects ?? 50_000), record)
      printTable()
      return
    }
    if (options.only === 'consolememory') {
      process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
      const flags = [`--data-dir=${folder.path}/data`, '--storage-backend=memory']
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      const target = { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
      await benchConsoleMemory(target, Number(options.minutes), record)
      printTable()
      return
    }
    if (options.only === 'consoles') {
      const flags = [`--data-dir=${folder.path}/data`, '--storage-backend=memory']
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      await benchConsoles({ url: server.url, pid: server.process.pid ?? 0, token: adminToken }, record)
      printTable()
      return
    }
    if (options.only === 'hollow') {
      const nodes = Number(options.nodes)
      const flags = [
        `--data-dir=${folder.path}/data`,
        '--storage-backend=memory',
        '--controllers=*',
        `--nodes=${nodes}`,
      ]
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      await benchHollow({ url: server.url, pid: server.process.pid ?? 0, token: adminToken }, nodes, record)
      printTable()
      return
    }
    if (options.only === 'namespace') {
      const flags = [...(etcd ? storage : [`--data-dir=${folder.path}/data`]), '--controllers=*']
      server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
      const count = Number(options.objects ?? 70_000)
      await benchNamespace({ url: server.url, pid: server.process.pid ?? 0, token: adminToken }, count, record)
      printTable()
      return
    }
    if (options.only === 'hostile') {
      await benchHostile(folder.path, startBare, options.family)
      return
    }
    server = await start()
    record('start until ready', `${Math.round(performance.now() - started)} ms`, `storage: ${options.storage}`)
    const target: Target = { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
    const bare = await startBare(folder.path)
    await runSteps(target, bare)
    bare.stop()
    recordMemory(target, `${await objectCount(target)} objects at the end`)
  } finally {
    await server?.stop()
    await etcd?.stop()
    folder.remove()
  }
  printTable()
}

/** Bundles, as they are installed: one clone may be compiled already and the other not. */
async function runWrites(folder: string): Promise<void> {
  process.env['PILOTHOUSE_ETCD'] ??= (await findEtcd()) ?? ''
  const stops: (() => Promise<unknown>)[] = []
  const start = async (bundle: () => Promise<string>): Promise<Target> => {
    process.env['PILOTHOUSE_PROGRAMS'] = await bundle()
    const etcd = await startEtcd()
    stops.push(() => etcd.stop())
    const flags = [`--etcd-servers=${etcd.url}`, '--disable-admission-plugins=ServiceAccount']
    const server = await startServer('cmd/apiserver/main.ts', flags, folder)
    stops.unshift(() => server.stop())
    return { url: server.url, pid: server.process.pid ?? 0, token: adminToken }
  }
  try {
    let before: Target | undefined
    if (options.before !== '') {
      const path = join(resolve(options.before), 'hack/bundle.ts')
      const other = (await import(pathToFileURL(path).href)) as { bundleClone: typeof bundleClone }
      before = await start(other.bundleClone)
    }
    await benchWrites(await start(bundleClone), before, options.family, record)
  } finally {
    for (const stop of stops) await stop()
  }
}

/** The controllers' accounts need tokens. */
function issuerFlags(folder: string): string[] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = join(folder, 'sa.key')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return [
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${key}`,
  ]
}

/** A controller manager as kubeadm starts it, but for the limit of its requests' rate. */
async function startManager(url: string, folder: string): Promise<{ readonly pid: number; stop(): Promise<void> }> {
  const kubeconfig = join(folder, 'manager.kubeconfig')
  const cluster = { server: url, 'insecure-skip-tls-verify': true }
  const context = { name: 'x', context: { cluster: 'c', user: 'u' } }
  const users = [{ name: 'u', user: { token: adminToken } }]
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users,
      contexts: [context],
      'current-context': 'x',
    }),
  )
  const child = spawn(
    process.execPath,
    [
      programFile('cmd/controller-manager/main.ts'),
      `--kubeconfig=${kubeconfig}`,
      '--use-service-account-credentials',
      '--controllers=*',
      '--kube-api-qps=100000',
      '--kube-api-burst=100000',
      '--bind-address=127.0.0.1',
      `--secure-port=${await freePort()}`,
      `--cert-dir=${join(folder, 'manager-certs')}`,
    ],
    { stdio: 'ignore' },
  )
  endWithUs(child)
  const exited = once(child, 'close')
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function printTable(): void {
  console.log(`\n| What | Server CPU | |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`)
}

/** Control planes of the library, many in one process. */
function benchPlanes(): void {
  const program = join(import.meta.dirname, 'planes.ts')
  const output = execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' })
  const cost = JSON.parse(output) as Record<'startMs' | 'cpuMs' | 'bytes' | 'resetMs' | 'resetMsMax' | 'stopMs', number>
  const { startMs, cpuMs, bytes, resetMs, resetMsMax, stopMs } = cost
  const size = `${(bytes / 1e6).toFixed(1)} MB each`
  record('control planes, 100 in one process', `${cpuMs.toFixed(0)} ms`, `${startMs.toFixed(0)} ms, ${size}`)
  record('reset of one with 100 objects', `${resetMs.toFixed(1)} ms`, `${resetMsMax.toFixed(1)} ms at most, elapsed`)
  record('stop of one of 103', `${stopMs.toFixed(1)} ms`, 'elapsed')
}

async function runSteps(target: Target, bare: BareTargets): Promise<void> {
  const watchers = Number(options.watchers)
  const steps: Record<string, () => Promise<void>> = {
    planes: async () => benchPlanes(),
    get: () => benchGet(target, bare.plain),
    get2: () => benchGetOverHttp2(target, bare),
    list: () => benchList(target),
    initial: async () => {
      await benchInitial(target, 'initial events, HTTP/1.1', watchOverHttp1)
      await benchInitial(target, 'initial events, HTTP/2', watchOverHttp2)
    },
    watch: async () => {
      await benchBareFanOut(bare, 'node:https', watchOverHttp1, watchers, 100)
      await benchFanOut(target, 'watch HTTP/1.1', watchOverHttp1, watchers, 100)
    },
    watch2: async () => {
      await benchBareFanOut(bare, 'node:http2', watchOverHttp2, watchers, 100)
      await benchFanOut(target, 'watch HTTP/2', watchOverHttp2, watchers, 100)
    },
    burst: () => benchBurst(target, 'burst HTTP/1.1', watchOverHttp1),
    burst2: () => benchBurst(target, 'burst HTTP/2', watchOverHttp2),
    many: () => benchFanOut(target, 'watch HTTP/2', watchOverHttp2, watchers * 5, 20),
    create: () => benchCreate(target),
    create2: () => benchCreateOverHttp2(target),
    change: () => benchChange(target),
    deployments: () => benchDeployments(target),
    pods: () => benchPods(target),
    crd: () => benchCrd(target, record),
    admission: () => benchAdmission(target, record),
  }
  await fill(target)
  recordMemory(target, `${objects} objects`)
  const chosen = options.only === '' ? Object.keys(steps) : options.only.split(',')
  for (const name of chosen) await steps[name]?.()
}

// Exits rather than dies, so that the servers end, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
await main()
