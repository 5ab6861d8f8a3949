// A large cluster's reads: 150,000 pods of 5 KB, the informers of 300 nodes that come back at once after a restart, and
// updates that each of them waits for. The figures are the server's own CPU.
import https from 'node:https'
import type { ServerProcess } from '../support/apiserver.ts'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'
import { fillPods, readList, targetOf } from './size.ts'

interface ClusterOptions {
  readonly pods: number
  readonly nodes: number
  start(): Promise<ServerProcess>
  record(name: string, cost: string, more: string): void
  loopHeldMs(target: Target): Promise<number>
}

const json = 'application/json'
const protobuf = 'application/vnd.kubernetes.protobuf'
const streaming =
  '/api/v1/pods?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'
const list = '/api/v1/pods?resourceVersion=0'
const updatesPerSecond = 100
const updateSeconds = 20
/** The annotation of the bookmark behind the initial events, in either format. */
const initialEventsEnd = Buffer.from('k8s.io/initial-events-end')

export async function benchCluster(options: ClusterOptions): Promise<void> {
  const { pods, start, record } = options
  let server = await start()
  try {
    await fillPods(targetOf(server), pods, record)
    await server.stop()
    const startedAt = performance.now()
    server = await start()
    const target = targetOf(server)
    const readyMs = Math.round(performance.now() - startedAt)
    record(
      'start with them',
      `${ms(cpuMicroseconds(target.pid))} ms`,
      `ready after ${readyMs} ms, ${resident(target)} MB`,
    )
    for (const round of ['first', 'second'])
      await measure(options, target, `streaming list, protobuf, ${round}`, () => streamed(target, streaming, protobuf))
    for (const [name, accept] of [
      ['list, protobuf', protobuf],
      ['list, JSON', json],
    ] as const)
      for (const round of ['first', 'second'])
        await measure(options, target, `${name}, ${round}`, () => readList(target, list, accept))
    await measureInformers(options, target)
    record('memory at the end', `${resident(target)} MB`, `${memoryMb(target.pid).file} MB of it pages of files`)
  } finally {
    await server.stop()
  }
}

async function measure(
  { record, loopHeldMs }: ClusterOptions,
  target: Target,
  name: string,
  work: () => Promise<number>,
): Promise<void> {
  await loopHeldMs(target)
  const before = cpuMicroseconds(target.pid)
  const startedAt = performance.now()
  const bytes = await work()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const cpu = ms(cpuMicroseconds(target.pid) - before)
  const heldMs = Math.round(await loopHeldMs(target))
  record(name, `${cpu} ms`, `${(bytes / 1e6).toFixed(1)} MB in ${seconds} s, loop held ${heldMs} ms at most`)
}

/** All nodes' informers at once, and then updates that each of them gets those of its own pods of. */
async function measureInformers(options: ClusterOptions, target: Target): Promise<void> {
  const { nodes, record } = options
  const streams: Stream[] = []
  await measure(options, target, `informers of ${nodes} nodes at once`, async () => {
    streams.push(...Array.from({ length: nodes }, (_, node) => openStream(target, pathOfNode(node), protobuf)))
    await Promise.all(streams.map(({ ready }) => ready))
    return streams.reduce((sum, { bytes }) => sum + bytes(), 0)
  })
  const client = createClient(target)
  const before = cpuMicroseconds(target.pid)
  const eventsBefore = streams.reduce((sum, { bytes }) => sum + bytes(), 0)
  for (let second = 0; second < updateSeconds; second++) {
    const from = second * updatesPerSecond
    const updates = Array.from({ length: updatesPerSecond }, (_, index) => update(client, from + index))
    await Promise.all([...updates, new Promise((resolve) => setTimeout(resolve, 1000))])
  }
  const share = (cpuMicroseconds(target.pid) - before) / 1e4 / updateSeconds
  const received = streams.reduce((sum, { bytes }) => sum + bytes(), 0) - eventsBefore
  record(
    `${updatesPerSecond} updates a second`,
    `${share.toFixed(0)} % of a core`,
    `for ${updateSeconds} s; informers got ${(received / 1e6).toFixed(1)} MB`,
  )
  client.close()
  for (const stream of streams) stream.close()
}

async function update(client: ReturnType<typeof createClient>, index: number): Promise<void> {
  const patch = JSON.stringify({ metadata: { annotations: { note: `changed ${index}` } } })
  const name = `p${index}`
  const { status, body } = await client.patch(`/api/v1/namespaces/big/pods/${name}`, patch)
  if (status !== 200) throw new Error(`updating ${name}: ${status} ${body}`)
}

function pathOfNode(node: number): string {
  return `${streaming}&fieldSelector=spec.nodeName%3Dn${node}`
}

interface Stream {
  /** The initial events have arrived. */
  readonly ready: Promise<void>
  bytes(): number
  close(): void
}

async function streamed(target: Target, path: string, accept: string): Promise<number> {
  const stream = openStream(target, path, accept)
  await stream.ready
  stream.close()
  return stream.bytes()
}

function openStream({ url, token }: Target, path: string, accept: string): Stream {
  let bytes = 0
  let tail: Uint8Array = new Uint8Array(0)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = { authorization: `Bearer ${token}`, accept }
  const call = https.get(url + path, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`))
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // The annotation may be cut by the end of a chunk.
      const seen = Buffer.concat([tail, chunk.subarray(-1024)])
      if (seen.includes(initialEventsEnd)) resolve()
      tail = chunk.subarray(-initialEventsEnd.length)
    })
    answer.on('error', reject)
  })
  call.on('error', reject)
  return { ready: promise, bytes: () => bytes, close: () => call.destroy() }
}

function ms(microseconds: number): number {
  return Math.round(microseconds / 1000)
}

function resident({ pid }: Target): number {
  return memoryMb(pid).resident
}
