import { statusErrors } from '../../object/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerDependencies } from '../contract.ts'
import { sendText } from '../failure.ts'
import { healthMetricNames, type ServerMetrics } from '../metrics.ts'
import type { NonResourceRoute, Routes } from '../routes.ts'

/** JSON indented by two spaces, as the stock server's own documents. */
function sendDocument(call: ServerCall, document: unknown): void | Promise<void> {
  const body = Buffer.from(JSON.stringify(document, null, 2))
  return call.responder.send(200, { 'content-type': 'application/json' }, body)
}

/** `/`: the list of paths. */
export function rootRoute(routes: () => Routes, listPaths: () => Iterable<string>): NonResourceRoute {
  return {
    pattern: '/',
    unlisted: true,
    methods: 'any',
    handle: (call) => sendDocument(call, { paths: [...new Set([...routes().paths(), ...listPaths()])].sort() }),
  }
}

/** `/version`, the fields in the order given. */
export function versionRoute(version: Readonly<Record<string, string>>): NonResourceRoute {
  return { pattern: '/version', handle: (call) => sendDocument(call, version) }
}

/** Maximum number of metrics that a request names. */
const namesMax = 100

/** The metrics that `name[]` asks for, as Prometheus' own pages take it; undefined: all. */
function namesIn({ query }: ServerCall): readonly string[] | undefined {
  const names = query.getAll('name[]')
  if (names.length > namesMax) throw statusErrors.badRequest(`name[]: at most ${namesMax} metrics`)
  return names.length === 0 ? undefined : names
}

/**
 * `/metrics`, and `/metrics/slis`, which has the health metrics only and is cheap to scrape often. DELETE resets them
 * where profiling is on; other methods return the page.
 */
export function metricsRoutes(
  exposition: NonNullable<ServerDependencies['exposition']>,
  reset: ServerDependencies['resetMetrics'],
  metrics: ServerMetrics,
): NonResourceRoute[] {
  const page = (pattern: string, names?: readonly string[]): NonResourceRoute => ({
    pattern,
    methods: 'any',
    async handle(call) {
      metrics.flush()
      if (call.method === 'DELETE' && reset !== undefined) {
        await reset(names)
        return sendText(call, 200, 'metrics reset\n')
      }
      const { contentType, body } = await exposition(call.headers['accept'], names ?? namesIn(call))
      await call.responder.send(200, { 'content-type': contentType }, Buffer.from(body))
    },
  })
  return [page('/metrics'), page('/metrics/slis', healthMetricNames)]
}

/** Sets the log verbosity to the number in the body. */
export function verbosityRoute(setVerbosity: (level: number) => void | Promise<void>): NonResourceRoute {
  return {
    pattern: '/debug/flags/v',
    methods: ['PUT'],
    async handle(call) {
      const text = Buffer.from(await call.body())
        .toString()
        .trim()
      if (!/^\d{1,3}$/.test(text))
        throw statusErrors.badRequest(`error setting flag v: invalid value ${JSON.stringify(text.slice(0, 32))}`)
      await setVerbosity(Number(text))
      sendText(call, 200, `successfully set klog.logging.verbosity to ${text}`)
    },
  }
}
