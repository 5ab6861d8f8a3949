import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import Koa from 'koa'
import type { Logger } from '../../lib/base/index.ts'
import { StatusError } from '../../lib/object/index.ts'
import type { ComponentPage, MetricsRegistry } from '../../lib/observe/index.ts'
import { warningHeader } from '../../lib/server/index.ts'
import type { Delegation } from './delegate.ts'

/** A check of a health page; undefined when it is healthy. */
export interface ComponentCheck {
  readonly name: string
  check(): Error | undefined
}

export interface PageDependencies {
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly delegation: Delegation
  /** The current checks of each health page, by its path: controllers add theirs once they run. */
  readonly health: ReadonlyMap<string, () => readonly ComponentCheck[]>
  /** The effective configuration, by the name of its group. */
  configz(): Readonly<Record<string, unknown>>
  setVerbosity(level: number): void
  /** Further pages of JSON, by their path. */
  readonly documents: ReadonlyMap<string, () => object>
  /** /statusz and /flagz, where their gates are on. */
  readonly componentPages: ReadonlyMap<string, (accept: string) => ComponentPage>
}

const healthMetrics = ['kubernetes_healthcheck', 'kubernetes_healthchecks_total']
const verbs: Readonly<Record<string, string>> = { GET: 'get', HEAD: 'get', PUT: 'put', POST: 'post', DELETE: 'delete' }

/** Serves the operational pages. */
export function createPages(
  dependencies: PageDependencies,
  open: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const app = new Koa()
  app.silent = true
  app.on('error', (error: unknown) => dependencies.log.warn('a page failed', { error }))
  app.use(async (context, next) => {
    context.set('cache-control', 'no-cache, private')
    context.set('x-content-type-options', 'nosniff')
    await next()
  })
  app.use(guard(dependencies.delegation, open))
  app.use(pages(dependencies).routes())

  return app.callback()
}

/** Serves a page to users who may see it. */
function guard({ authenticate, authorize }: Delegation, open: readonly string[]): Koa.Middleware {
  const isOpen = (path: string): boolean =>
    open.some((each) => (each.endsWith('/*') ? path.startsWith(each.slice(0, -1)) : path === each))
  return async (context, next) => {
    if (isOpen(context.path)) return await next()
    const user = await authenticate(context.req)
    if (!user) {
      context.status = 401
      context.body = 'Unauthorized\n'
      return
    }
    const verb = verbs[context.method] ?? context.method.toLowerCase()
    if (await authorize(user, verb, context.path)) return await next()
    context.status = 403
    context.body = `Forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(context.path)}\n`
  }
}

function pages({ metrics, health, configz, setVerbosity, documents, componentPages }: PageDependencies): Router {
  const router = new Router()
  for (const [path, page] of componentPages) router.get(path, (context) => sendPage(context, page))
  for (const [path, document] of documents)
    router.get(path, (context) => {
      context.body = document()
    })
  for (const [path, checks] of health) addHealthPage(router, path, checks)
  const exposition = async (context: Koa.Context, names?: readonly string[]): Promise<void> => {
    const { contentType, body } = await metrics.exposition(metrics.formatFor(context.get('accept')), names)
    context.type = contentType
    context.body = body
  }
  router.get('/metrics', (context) => {
    const asked = [context.query['name[]'] ?? []].flat()
    return exposition(context, asked.length === 0 ? undefined : asked)
  })
  router.get('/metrics/slis', (context) => exposition(context, healthMetrics))
  router.get('/configz', (context) => {
    context.body = configz()
  })
  router.put('/debug/flags/v', async (context) => {
    let text = ''
    for await (const chunk of context.req) {
      text += String(chunk)
      if (text.length > 16) break
    }
    if (!/^\d{1,3}$/.test(text.trim())) {
      context.status = 400
      context.body = 'error setting flag v: invalid value\n'
      return
    }
    setVerbosity(Number(text))
    context.body = `successfully set klog.logging.verbosity to ${text.trim()}`
  })
  return router
}

/** The page of all checks, and one of each. */
function addHealthPage(router: Router, path: string, checks: () => readonly ComponentCheck[]): void {
  const name = path.slice(1)
  router.get(path, (context) => {
    const { exclude } = context.query
    const excluded = new Set(exclude === undefined ? [] : [exclude].flat())
    const asked = checks().filter((each) => !excluded.has(each.name))
    const failed = new Set(asked.filter((each) => each.check() !== undefined).map((each) => each.name))
    const lines = asked.map((each) =>
      failed.has(each.name) ? `[-]${each.name} failed: reason withheld` : `[+]${each.name} ok`,
    )
    context.status = failed.size === 0 ? 200 : 500
    const verbose = context.query['verbose'] !== undefined || failed.size > 0
    const verdict = `${name} check ${failed.size === 0 ? 'passed' : 'failed'}`
    context.body = verbose ? `${[...lines, verdict].join('\n')}\n` : 'ok'
  })
  router.get(`${path}/:check`, (context) => {
    const found = checks().find((each) => each.name === context.params['check'])
    if (!found) return
    const failure = found.check()
    context.status = failure ? 500 : 200
    context.body = failure ? `internal server error: ${failure.message}\n` : 'ok'
  })
}

function sendPage(context: Koa.Context, page: (accept: string) => ComponentPage): void {
  try {
    const { contentType, body, warning } = page(context.get('accept'))
    context.set('content-type', contentType)
    if (warning !== undefined) context.set('warning', warningHeader(warning))
    context.body = Buffer.from(body)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    context.status = error.code
    context.body = error.toStatus()
  }
}
