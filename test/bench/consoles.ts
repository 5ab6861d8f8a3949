// Many open consoles that show one table of pods: what they cost the server beyond what the same changes cost without them.
import { once } from 'node:events'
import http2 from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const podCount = 5000
const consoleCount = 200
const changesPerSecond = 20
const measuredMs = 20_000
/** The page reads the kinds that often (console/app.ts). */
const kindsEveryMs = 30_000
const pods = '/api/v1/namespaces/default/pods'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

type Recorder = (name: string, cost: string, more: string) => void

export async function benchConsoles(target: Target, record: Recorder): Promise<void> {
  const client = createClient(target, 32)
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
  const spec = { containers: [{ name: 'web', image: 'registry.example/web:1' }] }
  let next = 0
  const make = async (): Promise<void> => {
    while (next < podCount)
      await client.request('POST', pods, JSON.stringify({ metadata: { name: `web-${next++}` }, spec, status }))
  }
  await Promise.all(Array.from({ length: 32 }, make))

  let events = 0
  let changes = 0
  // The same change twice would store nothing.
  let nextChange = 0
  const measure = async (): Promise<number> => {
    events = 0
    changes = 0
    let isOver = false
    const change = async (): Promise<void> => {
      while (!isOver) {
        const n = nextChange++
        const { status: code } = await client.patch(
          `${pods}/web-${(n * 7919) % podCount}`,
          JSON.stringify({ metadata: { labels: { n: `${n}` } } }),
        )
        if (code !== 200) throw new Error(`a change was answered ${code}`)
        changes++
        await pause(4000 / changesPerSecond)
      }
    }
    const workers = Array.from({ length: 4 }, change)
    const before = cpuMicroseconds(target.pid)
    await pause(measuredMs)
    const share = (cpuMicroseconds(target.pid) - before) / (measuredMs * 1000)
    isOver = true
    await Promise.all(workers)
    return share
  }

  await measure()
  const alone = await measure()
  const { body } = await client.request('GET', `${pods}?limit=1`)
  const { metadata } = JSON.parse(body) as { metadata: { resourceVersion: string } }
  const open = async (): Promise<() => void> => {
    const session = http2.connect(target.url, { rejectUnauthorized: false })
    session.on('error', () => {})
    const headers = { authorization: `Bearer ${target.token}` }
    const query = `watch=true&allowWatchBookmarks=true&includeObject=Metadata&resourceVersion=${metadata.resourceVersion}`
    const stream = session.request({ ':path': `/api/v1/pods?${query}`, accept: table, ...headers })
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) events++
    })
    const [answer] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader]
    if (answer[':status'] !== 200) throw new Error(`a watch was answered ${answer[':status']}`)
    const timer = setInterval(() => {
      for (const path of ['/api', '/apis'])
        session
          .request({ ':path': path, accept: discovery, ...headers })
          .on('error', () => {})
          .resume()
    }, kindsEveryMs)
    return () => {
      clearInterval(timer)
      session.destroy()
    }
  }
  const consoles: (() => void)[] = []
  for (let opened = 0; opened < consoleCount; opened += 20)
    consoles.push(...(await Promise.all(Array.from({ length: 20 }, open))))
  await pause(2000)
  const together = await measure()
  if (events < changes * consoleCount * 0.9) throw new Error(`only ${events} rows came in`)
  record(
    `${consoleCount} consoles, ${podCount} pods, ${Math.round(changes / (measuredMs / 1000))} changes a second`,
    `${((together - alone) * 100).toFixed(1)} % of a core`,
    `${Math.round(events / (measuredMs / 1000))} rows sent a second; the changes alone ${(alone * 100).toFixed(1)} %, ${memoryMb(target.pid).resident} MB`,
  )
  for (const close of consoles) close()
  client.close()
}
