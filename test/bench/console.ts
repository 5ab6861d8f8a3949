// The console in a browser: a table of many rows under changes while it is scrolled, and what an idle one costs the
// server.
import { setTimeout as pause } from 'node:timers/promises'
import { adminToken } from '../support/apiserver.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { createClient, type Target } from './client.ts'
import { cpuMicroseconds, memoryMb } from './process.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const changesPerSecond = 500
const underChangesMs = 10_000
/** Changes that wait for their answers. */
const waitingMax = 200
const idleMs = 20_000

type Recorder = (name: string, cost: string, more: string) => void

/** Counts frames in the page, and how long its script held it at most; scrolls all the while. */
const countFrames = `(ms) => new Promise((resolve) => {
  const rows = document.querySelector('.rows')
  let frames = 0, longest = 0, last = performance.now()
  const began = last
  const frame = (now) => {
    frames++
    longest = Math.max(longest, now - last)
    last = now
    rows.scrollTop = (rows.scrollTop + 40) % (rows.scrollHeight - rows.clientHeight)
    if (now - began < ms) requestAnimationFrame(frame)
    else resolve({ perSecond: frames / ((now - began) / 1000), longest })
  }
  requestAnimationFrame(frame)
})`

export async function benchConsole(target: Target, url: string, objects: number, record: Recorder): Promise<void> {
  const client = createClient(target, 32)
  let next = 0
  const make = async (): Promise<void> => {
    while (next < objects) {
      const name = `row-${String(next++).padStart(6, '0')}`
      await client.request('POST', collection, JSON.stringify({ metadata: { name }, data: { n: '0' } }))
    }
  }
  await Promise.all(Array.from({ length: 32 }, make))
  const browser = await openBrowser()
  if (!browser) throw new Error('no Chromium can be had here')
  const { page } = await openPage(browser)
  const startedMs = performance.now()
  await page.goto(`${url}/console/#/list?resource=configmaps&namespace=default`)
  await page.locator('#credential').waitFor()
  record(
    'console, until it can be used',
    `${Math.round(performance.now() - startedMs)} ms`,
    'with the start of the page',
  )
  await page.fill('#credential', adminToken)
  const signedInMs = performance.now()
  await page.click('button[type=submit]')
  await page
    .locator('.count')
    .filter({ hasText: String(objects) })
    .waitFor({ timeout: 120_000 })
  record(
    `console, ${objects} rows`,
    `${Math.round(performance.now() - signedInMs)} ms`,
    'from the sign-in to the last row',
  )

  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
  const threadSeconds = async (): Promise<number> => {
    const { metrics } = await protocol.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0
  }
  let changes = 0
  let waiting = 0
  let nextChange = 0
  const change = async (): Promise<void> => {
    const n = nextChange++
    const name = `row-${String((n * 7919) % objects).padStart(6, '0')}`
    waiting++
    await client.patch(
      `${collection}/${name}?fieldManager=bench`,
      JSON.stringify({ metadata: { labels: { n: String(n) } } }),
    )
    waiting--
    changes++
  }
  const timer = setInterval(() => {
    for (let each = 0; each < changesPerSecond / 50 && waiting < waitingMax; each++) void change()
  }, 20)
  await pause(1000)
  changes = 0
  const before = await threadSeconds()
  const frames = (await page.evaluate(`(${countFrames})(${underChangesMs})`)) as { perSecond: number; longest: number }
  const busy = (await threadSeconds()) - before
  const perSecond = changes / (underChangesMs / 1000)
  clearInterval(timer)
  record(
    `console, ${Math.round(perSecond)} changes a second`,
    `${frames.perSecond.toFixed(0)} frames/s`,
    `the longest took ${frames.longest.toFixed(0)} ms; the page's thread ${((busy * 1000) / (frames.perSecond * (underChangesMs / 1000))).toFixed(1)} ms of CPU a frame; browser and server share the machine`,
  )
  await pause(2000)
  const cpuUs = cpuMicroseconds(target.pid)
  await pause(idleMs)
  const idle = (cpuMicroseconds(target.pid) - cpuUs) / (idleMs * 1000)
  await browser.close()
  const without = cpuMicroseconds(target.pid)
  await pause(idleMs)
  const base = (cpuMicroseconds(target.pid) - without) / (idleMs * 1000)
  record(
    'console, idle',
    `${((idle - base) * 100).toFixed(2)} % of a core`,
    `the server without it ${(base * 100).toFixed(2)} %, ${memoryMb(target.pid).resident} MB`,
  )
  client.close()
}
