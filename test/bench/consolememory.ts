// The memory of a page of the console that shows a table, over simulated minutes of events: as many events as come in a
// minute, as fast as they can be made. Objects come, change and go, so that the page ends with the rows that it began with.
import type { CDPSession, Page } from 'playwright-core'
import { adminToken } from '../support/apiserver.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { createClient, type Target } from './client.ts'

const collection = '/api/v1/namespaces/default/configmaps'
/** Ten a second; three for each object. */
const eventsPerMinute = 600
const heapBytesMax = 500_000
const nodesMax = 200
/** The first ones fill caches. */
const warmUpMinutes = 2

interface Used {
  readonly heap: number
  readonly nodes: number
}

/** Throws an Error where the objects of the page grew by more than 500 kB, or its document by more than 200 nodes. */
export async function benchConsoleMemory(
  target: Target,
  minutes: number,
  record: (name: string, cost: string, more: string) => void,
): Promise<void> {
  const client = createClient(target, 8)
  await client.request('POST', collection, JSON.stringify({ metadata: { name: 'stays' } }))
  const browser = await openBrowser()
  if (!browser) throw new Error('no Chromium can be had here')
  const { page } = await openPage(browser)
  await page.goto(`${target.url}/console/#/list?resource=configmaps&namespace=default`)
  await page.fill('#credential', adminToken)
  await page.click('button[type=submit]')
  await page.locator('.rows a').first().waitFor()
  const protocol = await page.context().newCDPSession(page)
  const startedMs = performance.now()
  for (let minute = 0; minute < warmUpMinutes; minute++) await simulateMinute(client, page)
  const first = await used(protocol)
  let most = first
  for (let minute = 1; minute <= minutes; minute++) {
    await simulateMinute(client, page)
    const now = await used(protocol)
    most = { heap: Math.max(most.heap, now.heap), nodes: Math.max(most.nodes, now.nodes) }
    console.log(`minute ${minute}: ${kilobytes(now.heap - first.heap)} kB, ${now.nodes - first.nodes} nodes`)
  }
  const last = await used(protocol)
  await browser.close()
  client.close()
  record(
    `console, ${minutes} simulated minutes, ${minutes * eventsPerMinute} events`,
    `${kilobytes(last.heap - first.heap)} kB more`,
    `of ${kilobytes(first.heap)} kB; at most ${kilobytes(most.heap - first.heap)} kB, ${last.nodes - first.nodes} nodes; ${Math.round((performance.now() - startedMs) / 1000)} s`,
  )
  if (last.heap - first.heap > heapBytesMax || last.nodes - first.nodes > nodesMax)
    throw new Error('the memory of the page grows')
}

type Client = ReturnType<typeof createClient>

async function simulateMinute(client: Client, page: Page): Promise<void> {
  const rows = await page.locator('.count').textContent()
  const objects = eventsPerMinute / 3
  let next = 0
  const work = async (): Promise<void> => {
    while (next < objects) {
      const name = `churn-${next++}`
      await client.request('POST', collection, JSON.stringify({ metadata: { name } }))
      await client.patch(`${collection}/${name}`, JSON.stringify({ data: { a: 'b' } }))
      await client.request('DELETE', `${collection}/${name}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  // The page has seen all of it once it has seen what came last.
  await client.request('POST', collection, JSON.stringify({ metadata: { name: 'last' } }))
  await page.locator('.count', { hasText: String(Number(rows) + 1) }).waitFor()
  await client.request('DELETE', `${collection}/last`)
  await page.locator('.count', { hasText: String(rows) }).waitFor()
}

/** Without compiled code, which grows for as long as the browser finds more of it worth compiling. */
async function used(protocol: CDPSession): Promise<Used> {
  // The first collection leaves objects that were released just before.
  for (let times = 0; times < 2; times++) await protocol.send('HeapProfiler.collectGarbage')
  const { nodes } = await protocol.send('Memory.getDOMCounters')
  return { heap: objectBytes(await takeSnapshot(protocol)), nodes }
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] }
  }
  /** The fields of all nodes, one after the other. */
  readonly nodes: readonly number[]
}

async function takeSnapshot(protocol: CDPSession): Promise<Snapshot> {
  const chunks: string[] = []
  const keep = ({ chunk }: { chunk: string }): void => void chunks.push(chunk)
  protocol.on('HeapProfiler.addHeapSnapshotChunk', keep)
  await protocol.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  protocol.off('HeapProfiler.addHeapSnapshotChunk', keep)
  return JSON.parse(chunks.join('')) as Snapshot
}

function objectBytes({ snapshot, nodes }: Snapshot): number {
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const names = types[typeAt] as readonly string[]
  let bytes = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (names[nodes[at + typeAt] ?? -1] !== 'code') bytes += nodes[at + sizeAt] ?? 0
  return bytes
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000)
}
