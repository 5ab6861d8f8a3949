import { createConsole } from '../../console/index.ts'
import type { Fairness } from '../../fairness/index.ts'
import { parseRequestInfo } from '../../request/index.ts'
import {
  createAudit,
  createServer,
  impersonate,
  impersonateConstrained,
  type PostStartHook,
  type Server,
  type ServerDependencies,
  type Siblings,
} from '../../server/index.ts'
import type { Access } from '../access/access.ts'
import type { openAuditor } from '../access/auditing.ts'
import { fairnessRoutes } from '../access/fairness.ts'
import type { Api } from '../api/api.ts'
import { componentRoutes } from '../api/componentpages.ts'
import { type DocumentSources, documentRoutes, groupPaths } from '../api/documents.ts'
import { createStatusEncoder } from '../api/statusencoder.ts'
import type { ProgramServices } from '../compose.ts'
import type { ApiserverConfig } from '../config.ts'
import { autoregisterCheck } from '../hooks/apiservices.ts'
import type { Storage } from '../storage/storage.ts'
import { healthChecks } from '../storage/stores.ts'
import { openDebugging } from './debugging.ts'
import { reasonOf, StartError } from './failure.ts'

/** The other processes of the server, with the pages that answer for all of them. */
export interface ServerSiblings
  extends Siblings,
    Required<Pick<ServerDependencies, 'exposition' | 'resetMetrics' | 'setVerbosity'>> {}

interface PortParts {
  readonly storage: Storage
  readonly access: Access
  readonly api: Api
  readonly fairness: Fairness | undefined
  readonly hooks: readonly PostStartHook[]
  readonly auditor: Awaited<ReturnType<typeof openAuditor>>
  /** The port on which the server listens; called when a document is served. */
  port(): number
}

/** Resolves when the server listens; `opened` stops it. Rejects with StartError. */
export async function openPort(
  config: ApiserverConfig,
  services: ProgramServices,
  parts: PortParts,
  opened: AsyncDisposableStack,
): Promise<{ server: Server; host: string; port: number }> {
  const debugging = await openDebugging(config, services)
  opened.defer(() => debugging.close())
  const { log, metrics, clock, random, siblings } = services
  const { storage, access, api, fairness, hooks, auditor, port } = parts
  const { scheme, gate, stores } = storage
  const { authorizer } = access.authorization
  const server = createServer(
    {
      log: log.named('server'),
      metrics,
      clock,
      random,
      certificates: access.certificates,
      authenticator: access.authenticator,
      authorizer,
      impersonate: gate('ConstrainedImpersonation')
        ? impersonateConstrained({ authorizer, clock, metrics })
        : impersonate({ authorizer }),
      ...(auditor && { audit: createAudit(auditor) }),
      fairness,
      tracer: services.tracer,
      resources: api.resources,
      routes: [
        ...documentRoutes(scheme, documentSources(api), config, { clock, gate }, port),
        ...(access.accountTokens?.routes ?? []),
        ...(fairness ? fairnessRoutes(fairness, clock) : []),
        ...componentRoutes(config, { clock, random, gate }),
      ],
      listPaths: () => groupPaths(documentSources(api).groups()),
      healthChecks: [
        ...healthChecks(stores, log, config),
        ...(storage.encryption?.healthChecks ?? []),
        ...(api.aggregation ? [autoregisterCheck(api.aggregation)] : []),
      ],
      postStartHooks: hooks,
      parseRequestInfo,
      encodeStatus: createStatusEncoder(scheme, { cbor: gate('CBORServingAndStorage') }),
      publicPages: config.console && createConsole(config.console),
      ...debugging.pages,
      exposition: siblings?.exposition ?? ((accept, names) => metrics.exposition(metrics.formatFor(accept), names)),
      resetMetrics: siblings?.resetMetrics ?? ((names) => metrics.reset(names)),
      ...(siblings && { siblings, setVerbosity: siblings.setVerbosity }),
    },
    config.server,
  )
  let listens = false
  opened.defer(() => (listens ? server.stop() : server.close()))
  const address = await listen(server, config)
  listens = true
  return { server, ...address }
}

async function listen(server: Server, config: ApiserverConfig): Promise<{ host: string; port: number }> {
  try {
    return await server.start()
  } catch (error) {
    const { host, port } = config.server
    throw new StartError(`can't listen on ${host}, port ${port}: ${reasonOf(error)}`, { cause: error })
  }
}

function documentSources({ served, aggregation, peers }: Api): DocumentSources {
  return {
    peers,
    groups: aggregation ? () => aggregation.groups() : () => served.list(),
    remote: aggregation ? () => aggregation.documents() : () => noDocuments,
    served,
    handle: (call) => aggregation?.handle(call),
  }
}

const noDocuments: ReturnType<DocumentSources['remote']> = []

/** A wildcard is not an address to connect to: this machine itself is. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
