// `npm run bench -- --only=processes`: an API server of one process and of two on the same etcd, with many pods: what they
// serve in a second, what a start costs, what the second process adds in memory, and how long after a write through one
// process a watcher of the other sees it.
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { ServerProcess } from '../support/apiserver.ts'
import type { EtcdServer } from '../support/etcd.ts'
import { createClient, load, type Target } from './client.ts'
import { cpuMicroseconds, transferredBytes } from './process.ts'
import { fillPods, targetOf } from './size.ts'
import { watchOverHttp2 } from './watchers.ts'

interface ProcessesOptions {
  readonly pods: number
  readonly seconds: number
  readonly etcd: EtcdServer
  /** For the files of warm starts. */
  readonly folder: string
  start(...flags: string[]): Promise<ServerProcess>
  record(name: string, cost: string, more: string): void
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const counts = [1, 2]
/** Each is measured so often, in turns: other work on the machine meets them alike. */
const rounds = 2
const watchersOfEach = 400
/** The system spreads connections by chance: of fewer ones, one process has many more than the other. */
const connections = 128

export async function benchProcesses(options: ProcessesOptions): Promise<void> {
  const { pods, folder, start, record } = options
  const isWarm = `--watch-cache-directory=${folder}`
  const filling = await start(isWarm)
  await fillPods(targetOf(filling), pods, record)
  await filling.stop()
  const rates = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++)
    for (const count of counts) {
      const server = await measureStart(options, count, round === 0 ? [] : [isWarm])
      try {
        for (const [what, rate] of Object.entries(await measure(options, server, count)))
          rates.set(`${what} ${count}`, [...(rates.get(`${what} ${count}`) ?? []), rate])
        if (count > 1 && round === 0) await latency(targetOf(server), record)
      } finally {
        await server.stop()
      }
    }
  const best = (name: string): number => Math.max(...(rates.get(name) ?? [Number.NaN]))
  for (const what of ['gets', 'lists', 'deliveries'])
    record(
      `${what}, two processes`,
      `${(best(`${what} 2`) / best(`${what} 1`)).toFixed(2)} × one's`,
      `${best(`${what} 2`).toFixed(0)} and ${best(`${what} 1`).toFixed(0)} a second of the busiest process's CPU, the better of ${rounds} rounds`,
    )
}

async function measureStart(
  { start, etcd, record }: ProcessesOptions,
  count: number,
  flags: readonly string[],
): Promise<ServerProcess> {
  const [sentBefore, startedAt] = [transferredBytes(etcd.pid), performance.now()]
  const server = await start(`--processes=${count}`, ...flags)
  const readyMs = Math.round(performance.now() - startedAt)
  await untilAllServe(targetOf(server), count)
  const allMs = Math.round(performance.now() - startedAt)
  const mb = Math.round((transferredBytes(etcd.pid) - sentBefore) / 1e6)
  const { pid } = targetOf(server)
  record(
    `${flags.length > 0 ? 'warm' : 'cold'} start, ${named(count)}`,
    `${Math.round(cpuMicroseconds(pid) / 1000)} ms`,
    `ready after ${readyMs} ms, all serve after ${allMs} ms; etcd read and wrote ${mb} MB`,
  )
  const members = childrenOf(pid)
  const sizes = (members.length === 0 ? [pid] : [pid, ...members]).map(memoryOf)
  record(
    `memory, ${named(count)}`,
    `${sizes.reduce((sum, { pss }) => sum + pss, 0)} MB`,
    sizes.map(describe).join('; '),
  )
  return server
}

const named = (count: number): string => (count === 1 ? 'one process' : `${count} processes`)

async function untilAllServe(target: Target, count: number): Promise<void> {
  if (count === 1) return
  const client = createClient(target)
  const wanted = new RegExp(`^pilothouse_processes ${count}$`, 'm')
  while (!wanted.test((await client.request('GET', '/metrics')).body)) await pause(50)
  client.close()
}

/** CPU that the server uses. */
interface Used {
  readonly total: number
  /** The CPU of the process that works most: where each has a core, the others wait for it. */
  readonly busiest: number
}

/** Begins to count the CPU of a server, in microseconds. */
function countCpu({ pid }: Target): () => Used {
  const members = childrenOf(pid)
  const pids = members.length === 0 ? [pid] : members
  const before = pids.map(cpuMicroseconds)
  const [all, allBefore] = [() => cpuMicroseconds(pid), cpuMicroseconds(pid)]
  return () => ({
    total: all() - allBefore,
    busiest: Math.max(...pids.map((one, index) => cpuMicroseconds(one) - (before[index] ?? 0))),
  })
}

/** The work after a start is over. */
async function untilIdle({ pid }: Target): Promise<void> {
  const spanMs = 1000
  for (let used = spanMs; used > spanMs / 10; ) {
    const before = cpuMicroseconds(pid)
    await pause(spanMs)
    used = (cpuMicroseconds(pid) - before) / 1000
  }
}

/** Requests and deliveries in a second of the busiest process's CPU. */
async function measure(
  { seconds, record }: ProcessesOptions,
  server: ServerProcess,
  count: number,
): Promise<{ gets: number; lists: number; deliveries: number }> {
  const target = targetOf(server)
  await untilIdle(target)
  const loaded = async (what: string, path: string): Promise<number> => {
    const used = countCpu(target)
    const { perSecond, requests, p99, failures } = await load(target, path, { connections, seconds })
    const { total, busiest } = used()
    const us = (total / requests).toFixed(1)
    record(`${what}, ${named(count)}`, `${us} µs`, `${perSecond}/s, p99 ${p99}, ${failures} failed`)
    return (requests / busiest) * 1e6
  }
  const gets = await loaded('get', '/api/v1/namespaces/big/pods/p7?resourceVersion=0')
  const lists = await loaded('list page of 500', '/api/v1/pods?limit=500&resourceVersion=0')
  const watchers = watchersOfEach * count
  const deliveries = await fanOut(target, seconds, watchers, (us, perSecond) =>
    record(
      `watch delivery, ${named(count)}`,
      `${us.toFixed(2)} µs`,
      `${Math.round(perSecond)}/s, ${watchers} watchers`,
    ),
  )
  return { gets, lists, deliveries }
}

/** As many writes as the watchers can follow. Each process has as many watchers, whatever their number. */
async function fanOut(
  target: Target,
  seconds: number,
  watchers: number,
  report: (us: number, perSecond: number) => void,
): Promise<number> {
  const opened = await watchOverHttp2(target, `${configMaps}?watch=1`, watchers)
  const client = createClient(target)
  const body = (index: number): string =>
    JSON.stringify({ metadata: { name: `w${index % 20}` }, data: { text: 'x'.repeat(600), index: String(index) } })
  for (let index = 0; index < 20; index++) await client.request('POST', configMaps, body(index))
  await pause(500)
  const [used, receivedBefore, startedAt] = [countCpu(target), opened.received(), performance.now()]
  let written = 0
  const writer = async (_: unknown, lane: number): Promise<void> => {
    for (let index = lane; performance.now() - startedAt < seconds * 1000; index += 4, written++)
      await client.request('PUT', `${configMaps}/w${index % 20}`, body(index), false)
  }
  await Promise.all(Array.from({ length: 4 }, writer))
  const wanted = receivedBefore + written * watchers
  for (let waited = 0; opened.received() < wanted && waited < 20_000; waited += 20) await pause(20)
  const received = opened.received() - receivedBefore
  const perSecond = (received / (opened.lastAtMs() - startedAt)) * 1000
  const { total, busiest } = used()
  report(total / received, perSecond)
  opened.close()
  client.close()
  return (received / busiest) * 1e6
}

/** From sending a write through one process until a watcher of the other has its event. */
async function latency(target: Target, record: ProcessesOptions['record']): Promise<void> {
  const arrivals = new Map<string, number>()
  const writer = await openWriter(target)
  const isOther = ({ process }: Connection): boolean => process !== writer.process
  const watcher = await connectionThat(isOther, () =>
    openWatcher(target, (value) => arrivals.set(value, performance.now())),
  )
  const fromSent: number[] = []
  const fromAnswer: number[] = []
  const writes = 400
  for (let index = 0; index < writes; index++) {
    const value = `v${index}`
    const sentMs = performance.now()
    await writer.write(value)
    const answeredMs = performance.now()
    await pause(5)
    const arrivedMs = arrivals.get(value)
    if (arrivedMs === undefined) continue
    fromSent.push(arrivedMs - sentMs)
    fromAnswer.push(arrivedMs - answeredMs)
  }
  const median = (values: number[]): string => values.sort((a, b) => a - b)[values.length >> 1]?.toFixed(1) ?? '?'
  record(
    'write on one process, seen on the other',
    `${median(fromSent)} ms`,
    `median from sending the write, ${median(fromAnswer)} ms from its answer; ${fromSent.length} of ${writes}, 5 ms after it`,
  )
  writer.close()
  watcher.close()
}

interface Connection {
  /** The process at its other end. */
  readonly process: number
  close(): void
}

/** The system chooses the process of a connection. */
async function connectionThat(isWanted: (one: Connection) => boolean, open: () => Promise<Connection>) {
  for (let tries = 0; tries < 100; tries++) {
    const connection = await open()
    if (isWanted(connection)) return connection
    connection.close()
  }
  throw new Error('all connections are of one process')
}

async function openWriter(target: Target): Promise<Connection & { write(value: string): Promise<void> }> {
  const { agent, ask } = askerOf(target)
  const body = (value: string): string => JSON.stringify({ metadata: { name: 'latency' }, data: { value } })
  await ended(await ask('POST', configMaps, body('first')))
  const answer = await ask('GET', `${configMaps}/latency`)
  const process = processOf(target, answer)
  await ended(answer)
  return {
    process,
    write: async (value) => await ended(await ask('PUT', `${configMaps}/latency`, body(value))),
    close: () => agent.destroy(),
  }
}

async function openWatcher(target: Target, onValue: (value: string) => void): Promise<Connection> {
  const { agent, ask } = askerOf(target)
  const answer = await ask('GET', `${configMaps}?watch=1&fieldSelector=metadata.name%3Dlatency`)
  answer.setEncoding('utf8').on('data', (text: string) => {
    for (const [, value = ''] of text.matchAll(/"data":\{"value":"(v\d+)"/g)) onValue(value)
  })
  answer.on('error', () => {})
  return { process: processOf(target, answer), close: () => agent.destroy() }
}

/** Requests on one connection. */
function askerOf({ url, token }: Target) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = (method: string, path: string, body?: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const call = https.request(url + path, { method, agent, rejectUnauthorized: false, headers }, resolve)
      call.on('error', reject)
      call.end(body)
    })
  return { agent, ask }
}

async function ended(answer: IncomingMessage): Promise<void> {
  answer.resume()
  await once(answer, 'end')
}

function processOf({ pid }: Target, { socket }: IncomingMessage): number {
  return peerOf(socket.localPort ?? 0, childrenOf(pid))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Memory in MB; `pss` counts a page that several processes share in part. */
function memoryOf(pid: number): { pid: number; pss: number; own: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { pid, pss: Math.round(read('Pss')), own: Math.round(read('Private_Clean') + read('Private_Dirty')) }
}

const describe = ({ pss, own }: ReturnType<typeof memoryOf>): string => `${pss} (${own} its own)`

/** The process among `pids` whose socket is connected to this port of 127.0.0.1. */
function peerOf(port: number, pids: readonly number[]): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const inode = rows.map((line) => line.trim().split(/\s+/)).find((fields) => fields[2] === remote)?.[9]
  const isOf = (pid: number): boolean =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`
      } catch {
        return false // It was closed between the listing and the reading.
      }
    })
  return pids.find(isOf) ?? 0
}
