// `npm run node`: nodes with real kubelets on this machine. `npm run node -- --help` explains its flags.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from '../lib/client/index.ts'
import { bundleClone } from './bundle.ts'
import { connectTo } from './node/connection.ts'
import { clientAuthorityOf, passOn, serverOf } from './node/existing.ts'
import { shellImage } from './node/images.ts'
import { approveServing, prepareJoining } from './node/joining.ts'
import type { ClusterAccess } from './node/kubelet.ts'
import { startScheduler } from './node/part.ts'
import { startPlane } from './node/plane.ts'
import { findNodePrograms, type NodePrograms } from './node/programs.ts'
import { joinNode, type RealNode, untilReady } from './node/realnode.ts'
import { nodeObstacle } from './node/requirements.ts'
import { nodesMax, openSite, type Site } from './node/site.ts'

const help = `Joins nodes with real kubelets and containerd to a control plane, by a bootstrap token. Each node has namespaces of its
own on this machine; everything is removed when this ends. Needs root. The first run builds the kubelet from Debian's
source, which takes minutes; PILOTHOUSE_KUBELET, or one on PATH, is taken instead.

Usage: npm run node [-- --kubeconfig=FILE --count=N]
       npm run node -- --programs
       npm run node -- --all

  --kubeconfig     Administrator of a control plane on this machine, such as \`npm start\` prints; it must run with
                   --enable-bootstrap-token-auth. Default: a control plane of their own, which ends with the nodes.
  --count          How many nodes join, up to ${nodesMax} (default 1).
  --no-scheduler   Gives no pods to nodes, where the control plane has a scheduler already.
  --programs       Prints the paths of a node's programs, after fetching and building those that are missing.
  --all            Runs all tests with real nodes, the long ones, too.
`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    kubeconfig: { type: 'string' },
    count: { type: 'string', default: '1' },
    scheduler: { type: 'boolean', default: true },
    programs: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function wantedPrograms(): Promise<NodePrograms> {
  const programs = await findNodePrograms()
  if (!programs) throw new Error('a node needs all of its programs')
  return programs
}

async function printPrograms(): Promise<void> {
  const { release, environment, ...paths } = await wantedPrograms()
  for (const [name, path] of Object.entries(paths)) console.log(`${name.padEnd(12)} ${path}`)
  console.log(`release      ${release.join('.')}`)
  for (const [name, value] of Object.entries(environment)) console.log(`${name}=${value}`)
}

function runAllTests(): void {
  const line = ['--max-semi-space-size=64', 'node_modules/mocha/bin/mocha.js', 'test/node/**/*.test.ts']
  const environment = { ...process.env, PILOTHOUSE_NODE_LONG: '1' }
  const { status } = spawnSync(process.execPath, line, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: environment,
  })
  process.exitCode = status ?? 1
}

interface Joined {
  readonly client: Client
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string
  readonly access: ClusterAccess
}

/** The plane of --kubeconfig. */
async function joinExisting(site: Site, kubeconfig: string, opened: AsyncDisposableStack): Promise<Joined> {
  const text = readFileSync(kubeconfig, 'utf8')
  const client = opened.adopt(await connectTo(text), (made) => made.close())
  const { url: server, caCertificate } = serverOf(text)
  const clientAuthority = await clientAuthorityOf(client)
  opened.adopt(await passOn(site, server), (made) => void made?.close())
  const bootstrapToken = await prepareJoining(client)
  return { client, kubeconfig, access: { server, caCertificate, clientAuthority, bootstrapToken } }
}

async function startOwn(site: Site, opened: AsyncDisposableStack): Promise<Joined> {
  process.env['PILOTHOUSE_PROGRAMS'] ??= await bundleClone()
  const plane = opened.adopt(await startPlane(site), (made) => made.stop())
  const client = opened.adopt(await connectTo(readFileSync(plane.kubeconfig, 'utf8')), (made) => made.close())
  const bootstrapToken = await prepareJoining(client)
  const { url: server, kubeconfig, caCertificate } = plane
  return { client, kubeconfig, access: { server, caCertificate, bootstrapToken } }
}

async function joinNodes(): Promise<void> {
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1 || count > nodesMax) throw new Error(`--count takes 1 to ${nodesMax}`)
  const obstacle = nodeObstacle()
  if (obstacle !== undefined) throw new Error(obstacle)
  const programs = await wantedPrograms()
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
  await using opened = new AsyncDisposableStack()
  const site = opened.adopt(await openSite(), (made) => made.close())
  const { client, kubeconfig, access } = values.kubeconfig
    ? await joinExisting(site, values.kubeconfig, opened)
    : await startOwn(site, opened)
  if (values.scheduler) opened.adopt(startScheduler(resolve(kubeconfig), site.folder), (made) => made.stop())
  const nodes: RealNode[] = []
  for (let index = 1; index <= count && !interrupted.signal.aborted; index++) {
    const node = opened.adopt(await joinNode({ site, programs, index, access }), (made) => made.close())
    nodes.push(node)
    await untilReady(client, node, { signal: interrupted.signal })
    console.log(`${node.name} is ready: Kubernetes ${programs.release.join('.')}, ${node.machine.address}`)
  }
  if (!interrupted.signal.aborted) explain(site, kubeconfig)
  // Certificates are renewed while the nodes run.
  const renewing = setInterval(() => {
    for (const { name } of nodes) approveServing(client, name).catch(() => {})
  }, 10_000)
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  clearInterval(renewing)
  console.log('ending')
}

function explain(site: Site, kubeconfig: string): void {
  const manifest = join(site.folder, 'web.yaml')
  writeFileSync(
    manifest,
    `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: main, image: "${shellImage}", imagePullPolicy: Never }
`,
  )
  console.log(`
  export KUBECONFIG=${kubeconfig}
  kubectl get nodes -o wide
  kubectl apply -f ${manifest}
  kubectl wait --for=condition=Ready pod/web
  kubectl logs web
  kubectl exec -it web -- sh
  kubectl port-forward web 8080

logs: ${site.folder}. The image ${shellImage} has busybox. Ctrl-C ends it.`)
}

async function main(): Promise<void> {
  if (values.help) return console.log(help)
  if (values.programs) return await printPrograms()
  if (values.all) return runAllTests()
  await joinNodes()
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
