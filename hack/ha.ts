// `npm run ha`: a highly available control plane on this machine. `npm run ha -- --help` explains its flags.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleClone } from './bundle.ts'
import { findPrograms, portsFrom, startCluster } from './ha/cluster.ts'
import { findLeaders } from './ha/leaders.ts'
import type { Part } from './ha/parts.ts'
import { isWorking, type State } from './ha/supervisor.ts'

const help = `Runs three etcd members, three API replicas behind HAProxy, two controller managers and Prometheus on this machine,
with certificates of \`pilothouse pki\`. A part that ends is started again: any one of them may be killed.

Usage: npm run ha [-- COMMAND] [-- --dir=DIR --port=PORT]

  up            Starts everything and stays until it is interrupted (the default).
  status        Lists the parts: pid, port, starts, whether they work, and which etcd member and manager lead.
  logs NAME     Prints the log of a part; all are in DIR/logs.
  kill NAME     Kills a part with SIGKILL.
  down          Ends everything; the data stays in DIR.

  --dir         Folder of data, certificates, kubeconfigs and logs (default .pilothouse/ha).
  --port        Port of the balancer (default 16443); the parts take the next fifteen.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dir: { type: 'string', default: '.pilothouse/ha' },
    port: { type: 'string', default: '16443' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const folder = resolve(values.dir)

function readState(): State {
  const file = join(folder, 'state.json')
  if (!existsSync(file)) throw new Error(`nothing was started in ${folder}`)
  return JSON.parse(readFileSync(file, 'utf8')) as State
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

function pidOf(name: string): number {
  const part = readState().parts.find((one) => one.name === name)
  if (!part) throw new Error(`no part is called ${name}: see \`npm run ha -- status\``)
  return part.pid
}

async function up(): Promise<void> {
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_000) throw new Error('--port takes a port up to 65000')
  if (existsSync(join(folder, 'state.json')) && isAlive(readState().supervisor))
    throw new Error(`it runs already in ${folder}: see \`npm run ha -- status\``)
  const programs = await findPrograms()
  if (!programs) throw new Error('etcd, haproxy and prometheus are needed')
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
  const startedMs = performance.now()
  process.env['PILOTHOUSE_PROGRAMS'] ??= await bundleClone()
  const cluster = await startCluster(folder, portsFrom(port), programs, { signal: interrupted.signal })
  console.log(`ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s

  export KUBECONFIG=${cluster.kubeconfig}
  kubectl get --raw=/readyz?verbose

  balancer    https://127.0.0.1:${cluster.ports.balancer}
  prometheus  http://127.0.0.1:${cluster.ports.prometheus}
  logs        ${join(folder, 'logs')}

Ctrl-C ends it.`)
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  console.log('ending')
  await cluster.stop()
}

async function status(): Promise<void> {
  const { supervisor, parts } = readState()
  console.log(`supervisor ${isAlive(supervisor) ? `pid ${supervisor}` : 'is not running'}`)
  const ca = join(folder, 'pki/ca.crt')
  const balancer = parts.find(({ name }) => name === 'balancer')?.port ?? Number(values.port)
  const { etcd, manager } = await findLeaders(folder, portsFrom(balancer))
  for (const { name, pid, port, starts } of parts) {
    const works = isAlive(pid) && (await isWorking(healthOf(name, port), ca))
    const state = `${works ? 'ok' : 'DOWN'}${name === etcd || name === manager ? ', leads' : ''}`
    console.log(`${name.padEnd(12)} pid ${String(pid).padEnd(8)} port ${port}  starts ${starts}  ${state}`)
  }
}

/** Replicas and the balancer report by HTTPS that they are ready; for the others an open port is enough here. */
function healthOf(name: string, port: number): Pick<Part, 'port' | 'health'> {
  return /^(?:api|balancer)/.test(name) ? { port, health: `https://127.0.0.1:${port}/readyz` } : { port }
}

async function down(): Promise<void> {
  const { supervisor } = readState()
  if (!isAlive(supervisor)) return console.log('nothing runs')
  process.kill(supervisor, 'SIGTERM')
  while (isAlive(supervisor)) await new Promise((next) => setTimeout(next, 100))
}

async function main(): Promise<void> {
  const [command = 'up', name = ''] = positionals
  if (values.help) return console.log(help)
  if (command === 'up') return await up()
  if (command === 'status') return await status()
  if (command === 'down') return await down()
  if (command === 'logs') {
    pidOf(name)
    return void process.stdout.write(readFileSync(join(folder, 'logs', `${name}.log`)))
  }
  if (command === 'kill') return void process.kill(pidOf(name), 'SIGKILL')
  throw new Error(`${command} is no command: see --help`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
