import { spawnSync } from 'node:child_process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../hack/programs.ts'

/** No service of its own, no network but ours. Software draws, in the browser's process: a quarter of the CPU less than by a process more. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium without a window; undefined where it is not available. */
export async function openBrowser(): Promise<Browser | undefined> {
  const executablePath = await browserPath()
  return executablePath === undefined ? undefined : await chromium.launch({ executablePath, args: browserFlags })
}

export async function browserPath(): Promise<string | undefined> {
  const found = await findChromium()
  return found && spawnSync('which', [found], { encoding: 'utf8' }).stdout.trim()
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
  return watchPage(await context.newPage())
}

export function watchPage(page: Page): WatchedPage {
  page.setDefaultTimeout(waitMsMax)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) problems.push(line.text())
  })
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    for (let left = 3; ; left--)
      try {
        return await goto(url, options)
      } catch (error) {
        if (left === 0 || !String(error).includes(networkChanged)) throw error
      }
  }
  return { page, problems }
}

/** Ends a failing test: Playwright's own 30 s are not enough for a Chromium on a busy machine. */
const waitMsMax = 60_000

/** Chromium breaks off what it loads when an interface of the machine comes or goes, as those of other suites' containers do. */
const networkChanged = 'ERR_NETWORK_CHANGED'
