import type { Clock, Random } from '../../base/index.ts'
import { type ControllerFailure, failuresDocument, failuresPath } from '../../controller/index.ts'
import { type ComponentFacts, type ComponentPage, flagzPage, statuszPage } from '../../observe/index.ts'
import type { NonResourceRoute } from '../../server/index.ts'
import type { ApiserverConfig } from '../config.ts'

interface Services {
  readonly clock: Clock
  readonly random: Random
  gate(name: string): boolean
}

const fixedPaths = ['/healthz', '/livez', '/metrics', '/readyz', '/version']

/** /statusz and /flagz, each behind its gate, and the failures of controllers in this process. */
export function componentRoutes(config: ApiserverConfig, services: Services): NonResourceRoute[] {
  const pages = componentPages({ component: 'apiserver', fixedPaths, ...config }, services)
  const shown = Array.from(
    pages,
    ([pattern, page]): NonResourceRoute => ({
      pattern,
      async handle(call) {
        const { contentType, body, warning } = page(call.headers['accept'])
        if (warning !== undefined) call.warnings.add(warning)
        await call.responder.send(200, { 'content-type': contentType }, body)
      },
    }),
  )
  const { controllerFailures } = config
  return controllerFailures === undefined ? shown : [...shown, failuresRoute(controllerFailures)]
}

function failuresRoute(failures: () => readonly ControllerFailure[]): NonResourceRoute {
  return {
    pattern: failuresPath,
    handle: (call) =>
      call.responder.send(
        200,
        { 'content-type': 'application/json' },
        Buffer.from(JSON.stringify(failuresDocument(failures()))),
      ),
  }
}

/** The component's facts for its pages, without those that the pages find out themselves. */
interface Component extends Pick<ComponentFacts, 'component' | 'version'> {
  readonly fixedPaths: readonly string[]
  readonly shownFlags?: Readonly<Record<string, string>>
}

/** The pages whose gates are on, by path. Their component starts now. */
export function componentPages(
  { component, version, fixedPaths, shownFlags = {} }: Component,
  services: Services,
): ReadonlyMap<string, (accept: string | undefined) => ComponentPage> {
  const served = [
    ...(services.gate('ComponentStatusz') ? ([['/statusz', statuszPage]] as const) : []),
    ...(services.gate('ComponentFlagz') ? ([['/flagz', flagzPage]] as const) : []),
  ]
  const facts: ComponentFacts = {
    component,
    version,
    startedMs: services.clock.now(),
    paths: [...fixedPaths, ...served.map(([path]) => path)],
    flags: shownFlags,
  }
  return new Map(served.map(([path, page]) => [path, (accept) => page(facts, accept, services)]))
}
