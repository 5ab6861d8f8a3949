import type { ServerCall } from './call.ts'

/**
 * A page or document outside the resources. `pattern` is a path whose segments may be parameters, `/apis/:group`, and
 * whose last may be `*`, the rest of the path, empty or not.
 */
export interface NonResourceRoute {
  readonly pattern: string
  /** Only GET by default. */
  readonly methods?: readonly string[] | 'any'
  /** Keeps the path off the root page. */
  readonly unlisted?: boolean
  handle(call: ServerCall, parameters: RouteParameters): void | Promise<void>
}

type RouteParameters = Readonly<Record<string, string>>

export interface Routes {
  find(path: string): { route: NonResourceRoute; parameters: RouteParameters } | undefined
  /** Paths for the root page: listed routes without parameters. */
  paths(): readonly string[]
}

const noParameters: RouteParameters = {}

/** Exact paths by one look-up, the few patterns in order of definition. One trailing slash is ignored. */
export function createRoutes(routes: readonly NonResourceRoute[]): Routes {
  const exact = new Map<string, NonResourceRoute>()
  const patterns: { route: NonResourceRoute; segments: readonly string[] }[] = []
  for (const route of routes) {
    if (/\/[:*]/.test(route.pattern)) patterns.push({ route, segments: route.pattern.split('/') })
    else exact.set(route.pattern, route)
  }
  return {
    find(path) {
      const route = exact.get(path) ?? (path.endsWith('/') ? exact.get(path.slice(0, -1)) : undefined)
      if (route !== undefined) return { route, parameters: noParameters }
      const segments = path.split('/')
      for (const pattern of patterns) {
        const parameters = match(pattern.segments, segments)
        if (parameters !== undefined) return { route: pattern.route, parameters }
      }
      return undefined
    },
    paths: () => [...exact.values()].filter((route) => route.unlisted !== true).map((route) => route.pattern),
  }
}

function match(pattern: readonly string[], path: readonly string[]): RouteParameters | undefined {
  const parameters: Record<string, string> = {}
  for (const [at, step] of pattern.entries()) {
    const segment = path[at]
    if (step === '*') {
      parameters['*'] = path.slice(at).join('/')
      return parameters
    }
    if (segment === undefined) return undefined
    if (step.startsWith(':')) {
      if (segment === '') return undefined
      parameters[step.slice(1)] = segment
    } else if (step !== segment) return undefined
  }
  const rest = path.slice(pattern.length)
  return rest.length === 0 || (rest.length === 1 && rest[0] === '') ? parameters : undefined
}
