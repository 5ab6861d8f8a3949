import { spawnSync } from 'node:child_process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../hack/programs.ts'

/** No service of its own, no network but ours. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium without a window; undefined where it is not available. */
export async function openBrowser(): Promise<Browser | undefined> {
  const found = await findChromium()
  if (found === undefined) return undefined
  const executablePath = spawnSync('which', [found], { encoding: 'utf8' }).stdout.trim()
  return await chromium.launch({ executablePath, args: flags })
}

export interface WatchedPage {
  readonly page: Page
  /** Violations of the page's policy, uncaught errors and unexpected lines of its console. */
  readonly problems: readonly string[]
}

/** A page of a new profile. Answers that refuse a request are no problems: browsers log them all. */
export async function openPage(
  browser: Browser,
  viewport = { width: 1200, height: 760 },
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) problems.push(line.text())
  })
  return { page, problems }
}
