import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { bundleClone } from '../../hack/bundle.ts'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from './apiserver.ts'
import { openBrowser, openPage, type WatchedPage } from './browser.ts'

/** A server with the console, and a browser that shows it. */
export interface ConsoleKit {
  readonly url: string
  /** A new page, signed in as the administrator. */
  open(route?: string, options?: BrowserContextOptions): Promise<Page>
  /** Signs in as the administrator where the page asks for it. */
  signIn(page: Page): Promise<void>
  /** Shows another route in a page that is signed in. */
  go(page: Page, route: string): Promise<void>
  /** Sends an object; asserts 200 or 201. */
  send(method: 'DELETE' | 'PATCH' | 'POST' | 'PUT', path: string, object?: unknown): Promise<unknown>
  get(path: string): Promise<Record<string, unknown>>
  /** Violations of the policy and errors of all pages. */
  problems(): string[]
}

const viewport = { width: 1200, height: 760 }

/** Starts both before the tests of the suite that calls this, and ends them after. Skips them where there is no Chromium. */
export function useConsole(name: string, nodes: number): ConsoleKit {
  const folder = scratchFolder(name)
  const programs = process.env['PILOTHOUSE_PROGRAMS']
  let server: ServerProcess
  let browser: Browser | undefined
  const watched: WatchedPage[] = []

  before(async function () {
    browser = await openBrowser()
    if (!browser && process.env['CI']) assert.fail('this run must have a Chromium')
    if (!browser) return this.skip()
    // The page is part of the bundle.
    process.env['PILOTHOUSE_PROGRAMS'] = await bundleClone()
    const flags = [`--data-dir=${folder.path}/data`, `--nodes=${nodes}`, '--controllers=*', '--storage-backend=memory']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
  })
  after(async () => {
    if (programs === undefined) delete process.env['PILOTHOUSE_PROGRAMS']
    await browser?.close()
    await server?.stop()
    folder.remove()
  })

  async function signIn(page: Page): Promise<void> {
    await page.fill('#credential', adminToken)
    await page.click('button[type=submit]')
    await page.waitForSelector('nav a')
  }

  return {
    signIn,
    get url() {
      return server.url
    },
    async open(route = '', options = {}) {
      assert.ok(browser)
      const opened = await openPage(browser, viewport, options)
      watched.push(opened)
      await opened.page.goto(`${server.url}/console/${route}`)
      await signIn(opened.page)
      return opened.page
    },
    go: async (page, route) => void (await page.goto(`${server.url}/console/${route}`)),
    async send(method, path, object) {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers = { 'content-type': contentType }
      const answer = await request(server, path, {
        method,
        headers,
        ...(object !== undefined && { body: JSON.stringify(object) }),
      })
      assert.ok(answer.status === 200 || answer.status === 201, answer.body)
      return JSON.parse(answer.body)
    },
    get: async (path) => JSON.parse((await request(server, path)).body),
    problems: () => watched.flatMap(({ problems }) => problems),
  }
}

/** The route of an object's page. */
export function objectRoute(
  resource: string,
  name: string,
  { group = '', namespace = 'default', tab = '' } = {},
): string {
  return `#/object?${new URLSearchParams({ group, resource, namespace, name, tab })}`
}
