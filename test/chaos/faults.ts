import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isWorking } from '../../hack/ha/supervisor.ts'
import { programFile } from '../../hack/programfile.ts'
import type { Random } from '../../lib/base/index.ts'
import { identityIn } from '../support/identity.ts'
import { Client } from './client.ts'
import { type ChaosEnvironment, severalProcesses } from './environment.ts'
import { slowDisk } from './slowdisk.ts'

/** Something that goes wrong, and its end. What it answers is wrong with the control plane. */
export type Fault = (around: ChaosEnvironment, random: Random) => Promise<readonly string[] | void>

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random.fraction() * values.length)] as Value
const replicas = ['api1', 'api2', 'api3']
const members = ['etcd1', 'etcd2', 'etcd3']

function killing(choose: (around: ChaosEnvironment, random: Random) => Promise<string | undefined>): Fault {
  return async (around, random) => {
    const name = await choose(around, random)
    if (name === undefined) return
    around.cluster.signal(name, 'SIGKILL')
    await sleep(1500)
    await around.cluster.working(name)
  }
}

function pausing(choose: (around: ChaosEnvironment, random: Random) => Promise<string | undefined>): Fault {
  return async (around, random) => {
    const name = await choose(around, random)
    if (name === undefined) return
    around.cluster.signal(name, 'SIGSTOP')
    try {
      await sleep(2000 + random.fraction() * 6000)
    } finally {
      around.cluster.signal(name, 'SIGCONT')
    }
  }
}

/** One of the processes of a replica is killed: the others go on, and it is started again. */
const killProcess: Fault = async ({ cluster }, random) => {
  const pid = cluster.pid(severalProcesses)
  if (pid === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  process.kill(Number(pick(random, children)), 'SIGKILL')
  await sleep(1500)
  await cluster.working(severalProcesses)
  return cluster.pid(severalProcesses) === pid ? [] : ['the whole replica ended with one of its processes']
}

/** Stops and goes on many times a second: a machine that is slow. */
const slowMember: Fault = async ({ cluster }, random) => {
  const name = pick(random, members)
  for (const endMs = performance.now() + 6000; performance.now() < endMs; ) {
    cluster.signal(name, 'SIGSTOP')
    await sleep(80)
    cluster.signal(name, 'SIGCONT')
    await sleep(20)
  }
}

const slowLinks: Fault = async ({ links }, random) => {
  for (const link of links) link.delayMs = 20 + random.fraction() * 200
  await sleep(5000)
  for (const link of links) link.delayMs = 0
}

/** Connections overtake one another: what is sent on one of two comes after what the other sends later. */
const reorderedLinks: Fault = async ({ links }, random) => {
  for (let times = 0; times < 3; times++) {
    for (const link of links) {
      link.unevenMs = 50 + random.fraction() * 500
      // Others get the late ones.
      if (random.fraction() < 0.5) link.reset()
    }
    await sleep(2500)
  }
  for (const link of links) link.unevenMs = 0
}

/** The links of some members take nothing and give nothing on; then their connections break. */
const stalledLinks: Fault = async ({ links }, random) => {
  const some = links.filter(() => random.fraction() < 0.6)
  for (const link of some) link.stalled = true
  await sleep(1000 + random.fraction() * 5000)
  for (const link of some) {
    link.stalled = false
    link.reset()
  }
}

/** Requests reach etcd; their answers don't come back. */
const lostReplies: Fault = async ({ links }, random) => {
  for (let times = 0; times < 5; times++) {
    const link = pick(random, links)
    link.swallowReplies = true
    await sleep(200 + random.fraction() * 400)
    link.swallowReplies = false
    link.reset()
    await sleep(300)
  }
}

const cutLinks: Fault = async ({ links }, random) => {
  for (let times = 0; times < 10; times++) {
    const link = pick(random, links)
    link.refusing = random.fraction() < 0.3
    link.reset()
    await sleep(200 + random.fraction() * 400)
    link.refusing = false
  }
}

/** The wall clocks of replicas and managers jump by up to two hours, each another way, and back. */
const clockJumps: Fault = async ({ shiftClock }, random) => {
  const all = [...replicas, 'manager1', 'manager2']
  for (const name of all) shiftClock(name, Math.round((random.fraction() - 0.5) * 4 * 3_600_000))
  await sleep(6000)
  for (const name of all) shiftClock(name, 0)
}

const ballastNames = Array.from({ length: 90 }, (_, index) => `ballast-${index}`)

/** etcd's quota is used up: writes are refused, reads go on. Then room is made as an operator makes it. */
const quotaAlarm: Fault = async (around) => {
  const { cluster, identity, etcd } = around
  const client = new Client(`https://127.0.0.1:${cluster.ports.balancer}`, identity)
  const path = '/api/v1/namespaces/default/configmaps'
  const problems: string[] = []
  let isFull = false
  for (const name of ballastNames) {
    const body = { metadata: { name }, data: { text: 'x'.repeat(900_000) } }
    const answer = await client.ask('POST', path, body).catch(() => undefined)
    if (answer && answer.status >= 500 && JSON.stringify(answer.body).includes('database space exceeded')) isFull = true
    if (isFull) break
  }
  if (!isFull) problems.push('the quota of etcd was not reached')
  const read = await client.ask('GET', '/api/v1/namespaces/default').catch(() => undefined)
  if (read?.status !== 200) problems.push(`a read while etcd's quota is used up: ${read?.status}`)
  await sleep(1000)
  // Deletions pass; they free nothing before the history is compacted.
  for (const name of ballastNames) await client.ask('DELETE', `${path}/${name}`).catch(() => undefined)
  client.close()
  const newest = await retried(() => etcd('etcd1', '/v3/kv/range', { key: Buffer.from('\0').toString('base64') }))
  const { revision } = (newest?.['header'] ?? { revision: '0' }) as { revision: string }
  await retried(() => etcd('etcd1', '/v3/kv/compaction', { revision: String(Number(revision) - 50), physical: true }))
  for (const member of members) await retried(() => etcd(member, '/v3/maintenance/defragment', {}))
  return (await disarm(around)) ? problems : [...problems, 'the alarm of etcd goes on']
}

/** Members raise their alarms one by one. */
async function disarm({ etcd }: ChaosEnvironment): Promise<boolean> {
  for (let times = 0; times < 10; times++) {
    const found = await retried(() => etcd('etcd1', '/v3/maintenance/alarm', { action: 'GET' }))
    const alarms = found?.['alarms'] ?? []
    if (Array.isArray(alarms) && alarms.length === 0) return true
    for (const { memberID, alarm } of alarms as { memberID: string; alarm: string }[])
      await retried(() => etcd('etcd1', '/v3/maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm }))
    await sleep(500)
  }
  return false
}

/** The disk of a member is full: it ends, and ends again, until there is room. */
const fullDisk: Fault = async ({ cluster, smallDisk }) => {
  if (smallDisk === undefined) return
  const file = join(smallDisk, 'ballast')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(1024 * 1024)
  try {
    for (;;) writeSync(descriptor, block)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(descriptor)
  }
  // Its next segment of the log, or its start, finds no room.
  cluster.signal('etcd1', 'SIGKILL')
  await sleep(5000)
  rmSync(file)
  await cluster.working('etcd1')
}

/** The log of a member is damaged: it doesn't start any more, and is replaced by a new one, as an operator does it. */
const damagedMember: Fault = async (around) => {
  const { cluster, etcd, leader } = around
  const name = 'etcd3'
  const other = 'etcd2'
  const folder = join(cluster.folder, name)
  const { members: known } = await etcd(other, '/v3/cluster/member/list', {})
  const member = (known as { ID: string; name: string; peerURLs: string[] }[]).find((one) => one.name === name)
  if (!member) return [`${name} is no member`]
  cluster.signal(name, 'SIGKILL')
  await sleep(50)
  const log = join(folder, 'member/wal')
  for (const file of readdirSync(log)) {
    if (!file.endsWith('.wal')) continue
    const bytes = readFileSync(join(log, file))
    bytes.fill(0xff, 64, 4096)
    writeFileSync(join(log, file), bytes)
  }
  await sleep(3000)
  const problems: string[] = []
  const part = cluster.parts.find((one) => one.name === name)
  if (part && (await isWorking(part, join(cluster.folder, 'pki/ca.crt'))))
    problems.push(`${name} works with a damaged log`)
  await untilLed(leader)
  await etcd(other, '/v3/cluster/member/remove', { ID: member.ID })
  const added = await retried(() => etcd(other, '/v3/cluster/member/add', { peerURLs: member.peerURLs }))
  if (!added) return [...problems, `${name} could not be added again`]
  const command = (part?.command ?? []).filter((flag) => !flag.startsWith('--initial-cluster-state'))
  cluster.change(name, [...command, '--initial-cluster-state=existing'])
  rmSync(join(folder, 'member'), { recursive: true, force: true })
  await sleep(5000)
  // It has done again what the others did before they compacted, and may have raised the alarm of its quota meanwhile.
  await retried(() => etcd(name, '/v3/maintenance/defragment', {}))
  if (!(await disarm(around))) problems.push('the alarm of etcd goes on')
  await cluster.working(name)
  return problems
}

async function untilLed(leader: () => Promise<string | undefined>): Promise<void> {
  for (let times = 0; times < 60 && (await leader()) === undefined; times++) await sleep(500)
}

/** A cluster takes no new member before the others are known to be well. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  for (let times = 0; times < 30; times++) {
    const result = await work().catch(() => undefined)
    if (result !== undefined) return result
    await sleep(1000)
  }
  return undefined
}

/** A replica whose certificate for etcd is another cluster's never becomes ready, and strangers are not let in. */
const wrongCertificates: Fault = async ({ cluster, programs }) => {
  const problems: string[] = []
  const other = join(cluster.folder, 'other')
  const run = promisify(execFile)
  const main = programFile('cmd/pilothouse/main.ts')
  await run(programs.node, [main, 'pki', 'init', `--dir=${other}`, '--server=https://127.0.0.1:1'])
  const own = cluster.parts.find(({ name }) => name === 'api1')
  const [program = '', ...flags] = own?.command ?? []
  const port = cluster.ports.balancer + 40
  const wrong = flags
    .map((flag) => flag.replace(/^--secure-port=.*/, `--secure-port=${port}`))
    .map((flag) => (/^--etcd-(?:cert|key)file=/.test(flag) ? flag.replace(cluster.folder, other) : flag))
  const child = spawn(program, wrong, { stdio: 'ignore', env: { ...process.env, ...own?.environment } })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ca = join(cluster.folder, 'pki/ca.crt')
  const health = `https://127.0.0.1:${port}/readyz`
  for (const endMs = performance.now() + 6000; performance.now() < endMs; await sleep(300))
    if (await isWorking({ port, health }, ca)) problems.push('a replica with a wrong certificate for etcd is ready')
  child.kill('SIGKILL')
  await ended
  const stranger = identityIn(join(other, 'admin.conf'))
  const client = new Client(`https://127.0.0.1:${cluster.ports.balancer}`, stranger)
  const answer = await client.ask('GET', '/api/v1/secrets').catch(() => undefined)
  if (answer && answer.status !== 401) problems.push(`an administrator of another cluster is answered ${answer.status}`)
  client.close()
  return problems
}

/** By the names of the command line. */
export const faults: Readonly<Record<string, Fault>> = {
  'kill-replica': killing(async (_around, random) => pick(random, replicas)),
  'kill-process': killProcess,
  'kill-leader': killing(({ leader }) => leader()),
  'kill-member': killing(async (_around, random) => pick(random, members)),
  'kill-manager': killing(({ manager }) => manager()),
  'pause-replica': pausing(async (_around, random) => pick(random, replicas)),
  'pause-leader': pausing(({ leader }) => leader()),
  'pause-manager': pausing(({ manager }) => manager()),
  'slow-member': slowMember,
  'slow-disk': slowDisk,
  'slow-links': slowLinks,
  'reordered-links': reorderedLinks,
  'stalled-links': stalledLinks,
  'cut-links': cutLinks,
  'lost-replies': lostReplies,
  'clock-jumps': clockJumps,
  'quota-alarm': quotaAlarm,
  'full-disk': fullDisk,
  'damaged-member': damagedMember,
  'wrong-certificates': wrongCertificates,
}
