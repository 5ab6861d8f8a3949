// `npm run bench -- --only=replicas`: three replicas (and one to five) on one etcd. How long after a write on one replica a
// watcher of another sees it, what reads cost etcd, and how memory grows under writers and watchers.
import { mkdirSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminToken, type ServerProcess, startServer } from '../support/apiserver.ts'
import { startEtcd } from '../support/etcd.ts'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'
import { watchOverHttp2 } from './watchers.ts'

type Record = (what: string, cost: string, more: string) => void

const path = '/api/v1/namespaces/default/configmaps'
const writesPerSecond = 1000
const objects = 1000
/** For each replica: those that arrive together share one question to etcd. */
const readersEach = 16
const reads = 8000
const writers = 64
const watchers = 1000

export async function benchReplicas(folder: string, minutes: number, record: Record): Promise<void> {
  const etcd = await startEtcd({ flags: ['--snapshot-count=10000'] })
  const servers: ServerProcess[] = []
  const grow = async (count: number): Promise<Target[]> => {
    while (servers.length < count) {
      const own = join(folder, `replica${servers.length}`)
      mkdirSync(own)
      const flags = [`--etcd-servers=${etcd.url}`, '--disable-admission-plugins=ServiceAccount']
      servers.push(await startServer('cmd/apiserver/main.ts', flags, own))
    }
    return servers.map((server) => ({ url: server.url, pid: server.process.pid ?? 0, token: adminToken }))
  }
  try {
    const [first] = await grow(1)
    if (!first) throw new Error('no replica has started')
    await fill(first)
    for (const count of [1, 3, 5]) {
      const targets = await grow(count)
      const { microseconds, perSecond } = await readsOf(targets, etcd.pid)
      record(
        `get, latest, ${count} ${count === 1 ? 'replica' : 'replicas'}`,
        `${microseconds.toFixed(0)} µs of etcd`,
        `${perSecond} reads/s`,
      )
    }
    for (const extra of servers.splice(3)) await extra.stop()
    const targets = await grow(3)
    await latencies(targets, record)
    await memory(targets, minutes, record)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await etcd.stop()
  }
}

async function fill(target: Target): Promise<void> {
  const client = createClient(target)
  const names = Array.from({ length: objects }, (_, i) => `c${i}`)
  const lane = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const { status, body } = await client.request('POST', path, JSON.stringify({ metadata: { name } }))
      if (status !== 201) throw new Error(body)
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  client.close()
}

/** etcd's CPU for a get of the latest state. */
async function readsOf(
  targets: readonly Target[],
  etcdPid: number,
): Promise<{ microseconds: number; perSecond: number }> {
  const clients = targets.map((target) => createClient(target))
  await sleep(2000)
  const [before, started] = [cpuMicroseconds(etcdPid), performance.now()]
  let left = reads
  const lane = async (_: unknown, index: number): Promise<void> => {
    const client = clients[index % clients.length]
    while (client && left-- > 0) await client.request('GET', `${path}/c${left % objects}`)
  }
  await Promise.all(Array.from({ length: readersEach * targets.length }, lane))
  const [microseconds, ms] = [cpuMicroseconds(etcdPid) - before, performance.now() - started]
  for (const client of clients) client.close()
  return { microseconds: microseconds / reads, perSecond: Math.round((reads / ms) * 1000) }
}

/** From sending a write to one replica until a watcher of another has it. */
async function latencies([first, second]: readonly Target[], record: Record): Promise<void> {
  if (!first || !second) throw new Error('two replicas are needed')
  const sent = new Map<string, number>()
  const seen: number[] = []
  const watch = await follow(second, (value) => {
    const at = sent.get(value)
    if (at !== undefined) seen.push(performance.now() - at)
  })
  const client = createClient(first)
  const startedMs = performance.now()
  const seconds = 10
  let written = 0
  for (let tick = 0; tick < seconds * 100; tick++) {
    for (let i = 0; i < writesPerSecond / 100; i++) {
      const value = `v${written}`
      const name = `c${written++ % objects}`
      sent.set(value, performance.now())
      client
        .request('PUT', `${path}/${name}`, JSON.stringify({ metadata: { name }, data: { value } }), false)
        .catch(() => {})
    }
    await sleep(Math.max(0, startedMs + (tick + 1) * 10 - performance.now()))
  }
  const tookSeconds = (performance.now() - startedMs) / 1000
  await sleep(1000)
  watch.close()
  client.close()
  seen.sort((a, b) => a - b)
  const at = (share: number): string => (seen[Math.floor(seen.length * share)] ?? Number.NaN).toFixed(1)
  record(
    'write on one replica, seen on another',
    `${at(0.5)} ms`,
    `median from sending the write; 99 %: ${at(0.99)} ms; ${seen.length} of ${written} at ${Math.round(written / tookSeconds)}/s`,
  )
}

/** Calls back with `data.value` of each event. */
async function follow(target: Target, onValue: (value: string) => void): Promise<{ close(): void }> {
  const headers = { authorization: `Bearer ${target.token}` }
  const options = { rejectUnauthorized: false, agent: false, headers } as const
  let rest = ''
  const call = https.get(`${target.url}${path}?watch=1`, options)
  await new Promise<void>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (answer) => {
      answer.on('data', (chunk) => {
        const lines = (rest + String(chunk)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const value = /"data":\{"value":"(v\d+)"/.exec(line)?.[1]
          if (value !== undefined) onValue(value)
        }
      })
      resolve()
    })
  })
  call.on('error', () => {})
  return { close: () => call.destroy() }
}

/** Writers over all replicas, and watchers of one object each, as those of nodes are. */
async function memory(targets: readonly Target[], minutes: number, record: Record): Promise<void> {
  const opened = await Promise.all(
    targets.map(async (target, index) => {
      const selector = `${path}?watch=1&fieldSelector=metadata.name%3Dc${index}`
      return await watchOverHttp2(target, selector, Math.floor(watchers / targets.length))
    }),
  )
  const clients = targets.map((target) => createClient(target))
  let going = true
  let written = 0
  const lane = async (_: unknown, index: number): Promise<void> => {
    const client = clients[index % clients.length]
    while (going && client) {
      const name = `c${written++ % objects}`
      const body = JSON.stringify({ metadata: { name }, data: { value: `w${written}` } })
      await client.request('PUT', `${path}/${name}`, body, false).catch(() => {})
    }
  }
  const lanes = Array.from({ length: writers }, lane)
  const total = (): number => targets.reduce((sum, { pid }) => sum + memoryMb(pid).resident, 0)
  const samples: number[] = []
  for (let i = 0; i < 6; i++) {
    await sleep((minutes * 60_000) / 6)
    samples.push(total())
  }
  going = false
  await Promise.all(lanes)
  for (const one of [...opened, ...clients]) one.close()
  record(
    `memory, ${writers} writers and ${watchers} watchers`,
    samples.map((mb) => `${mb}`).join(', '),
    `MB of three replicas after each sixth of ${minutes} minutes; ${Math.round(written / (minutes * 60))} writes/s`,
  )
}
