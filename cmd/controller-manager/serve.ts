import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureVersion } from 'node:tls'
import Koa from 'koa'
import Router from '@koa/router'
import type { Closable, Logger } from '../../lib/base/index.ts'
import type { ComponentPage, MetricsRegistry } from '../../lib/observe/index.ts'
import { StatusError } from '../../lib/object/index.ts'
import { warningHeader } from '../../lib/server/index.ts'
import type { Delegation } from './delegate.ts'

/** One thing that /healthz asks: undefined where all is well. */
export interface ManagerCheck {
  readonly name: string
  check(): Error | undefined
}

interface ServeDependencies {
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly delegation: Delegation
  /** As they are now: controllers have theirs once they run. */
  checks(): readonly ManagerCheck[]
  /** The configuration as it is in force. */
  configz(): unknown
  setVerbosity(level: number): void
  /** /statusz and /flagz, where their gates are on. */
  readonly componentPages: ReadonlyMap<string, (accept: string) => ComponentPage>
}

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly clientAuthorities: string | undefined
  readonly tlsMinVersion: SecureVersion
  readonly ciphers: string | undefined
  /** Paths that everyone may see; the last segment may be `*`. */
  readonly open: readonly string[]
}

const healthMetrics = ['kubernetes_healthcheck', 'kubernetes_healthchecks_total']
const verbs: Readonly<Record<string, string>> = { GET: 'get', HEAD: 'get', PUT: 'put', POST: 'post', DELETE: 'delete' }

/** The operational pages of the controller manager, on TLS. Resolves when the port is open. */
export async function servePages(
  dependencies: ServeDependencies,
  options: ServeOptions,
): Promise<Closable & { readonly port: number }> {
  const app = new Koa()
  app.silent = true
  app.on('error', (error: unknown) => dependencies.log.warn('a page failed', { error }))
  app.use(async (context, next) => {
    context.set('cache-control', 'no-cache, private')
    context.set('x-content-type-options', 'nosniff')
    await next()
  })
  app.use(guard(dependencies.delegation, options.open))
  app.use(pages(dependencies).routes())

  const handle = app.callback()
  const server = createServer(
    {
      cert: options.certificate,
      key: options.key,
      minVersion: options.tlsMinVersion,
      ...(options.ciphers === undefined ? {} : { ciphers: options.ciphers }),
      ...(options.clientAuthorities === undefined
        ? {}
        : { ca: options.clientAuthorities, requestCert: true, rejectUnauthorized: false }),
    },
    (request, response) => void handle(request, response),
  )
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  server.maxConnections = 1000
  // Node's own list has no connections that have not shaken hands: one that says nothing would hold up the end for minutes.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Shows a page to those who may see it. */
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

function pages({ metrics, checks, configz, setVerbosity, componentPages }: ServeDependencies): Router {
  const router = new Router()
  for (const [path, page] of componentPages) router.get(path, (context) => sendPage(context, page))
  router.get('/healthz', (context) => {
    const { exclude } = context.query
    const excluded = new Set(exclude === undefined ? [] : [exclude].flat())
    const asked = checks().filter(({ name }) => !excluded.has(name))
    const failed = new Set(asked.filter((each) => each.check() !== undefined).map(({ name }) => name))
    const lines = asked.map(({ name }) => (failed.has(name) ? `[-]${name} failed: reason withheld` : `[+]${name} ok`))
    context.status = failed.size === 0 ? 200 : 500
    const verbose = context.query['verbose'] !== undefined || failed.size > 0
    const verdict = failed.size === 0 ? 'healthz check passed' : 'healthz check failed'
    context.body = verbose ? `${[...lines, verdict].join('\n')}\n` : 'ok'
  })
  router.get('/healthz/:check', (context) => {
    const found = checks().find(({ name }) => name === context.params['check'])
    if (!found) return
    const failure = found.check()
    context.status = failure ? 500 : 200
    context.body = failure ? `internal server error: ${failure.message}\n` : 'ok'
  })
  const exposition = async (context: Koa.Context, names?: readonly string[]): Promise<void> => {
    const { contentType, body } = await metrics.exposition(metrics.formatFor(context.get('accept')), names)
    context.type = contentType
    context.body = body
  }
  router.get('/metrics', (context) => exposition(context))
  router.get('/metrics/slis', (context) => exposition(context, healthMetrics))
  router.get('/configz', (context) => {
    context.body = { 'kubecontrollermanager.config.k8s.io': configz() }
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
