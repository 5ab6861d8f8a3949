import { tables } from '../../api/index.ts'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import { type Client, createClient, createProtobufEncoding, createServerConnections } from '../../lib/client/index.ts'
import {
  createEventSink,
  createLeaderElection,
  failuresDocument,
  failuresPath,
  type LeaderElectionOptions,
  type Leadership,
  type Manager,
} from '../../lib/controller/index.ts'
import type { VersionInfo } from '../../lib/features/index.ts'
import { type FlagValues, showFlags } from '../../lib/flags/index.ts'
import { recordBuild } from '../../lib/observe/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'
import { configureObserving } from '../apiserver/configureobserving.ts'
import { createObserving } from '../apiserver/observing.ts'
import { forgetWhenQuiet } from '../forgetstart.ts'
import { crashLoudly, firstSignal, ignoreClosedOutput } from '../lifetime.ts'
import { processEnvironment } from '../processenvironment.ts'
import { catchStrayOutput } from '../strayoutput.ts'
import type { ComponentConfig } from './configure.ts'
import { type ApiServer, type ComponentServices, connect, endpointOf, untilReachable } from './connection.ts'
import type { ComponentFlags } from './flags.ts'
import { openPages } from './openpages.ts'
import type { ComponentCheck, PageDependencies } from './pages.ts'

/** A program beside the API server, such as a scheduler: it works while it leads, and serves operational pages. */
export interface Component<Config extends ComponentConfig> {
  /** Its own name: `pilothouse-scheduler`. */
  readonly program: string
  /** The name of the stock program: `kube-scheduler`. */
  readonly name: string
  readonly flags: ComponentFlags
  /** The tables of all flags, for /flagz. */
  readonly flagTables: Parameters<typeof showFlags>[0]
  readonly config: Config
  readonly version: VersionInfo
  readonly warnings: readonly string[]
  /** The effective configuration at /configz, by the name of its group. */
  configz(): Readonly<Record<string, unknown>>
  /** The checks of each health page, by its path. */
  health(state: Readonly<ComponentState>): ReadonlyMap<string, readonly ComponentCheck[]>
  /** Starts the controllers once this process leads. */
  start(tools: ComponentTools<Config>): Promise<Manager>
}

/** The services with which a component starts its controllers. */
export interface ComponentTools<Config extends ComponentConfig> {
  readonly services: ComponentServices
  readonly config: Config
  readonly server: ApiServer
  /** Sends requests as the component itself. */
  readonly client: Client
}

/** The state of the controllers and of the leader election, for health checks. */
export interface ComponentState {
  manager?: Manager
  isSynced?: boolean
  leadership?: Leadership
  isStopping?: boolean
}

/** Time for the controllers' initial work. */
const forgetMs = 2000
/** Time to stop after the lease is lost. */
const lostMsMax = 2_000

/**
 * Runs a component until a signal ends it, or the lease is lost; returns the exit code. The port is open from the
 * beginning; the controllers run while this process leads.
 */
export async function runComponent<Config extends ComponentConfig>(component: Component<Config>): Promise<number> {
  const { program, name, config, version, warnings } = component
  const observing = await createObserving(await configureObserving(component.flags))
  const { log } = observing
  const services: ComponentServices = {
    ...processEnvironment,
    clock: systemClock,
    random: systemRandom,
    ...observing,
    scheme: createScheme({ tables }),
  }
  const opened = new AsyncDisposableStack()
  const state: ComponentState = {}
  try {
    crashLoudly(observing, program)
    ignoreClosedOutput(observing)
    catchStrayOutput((message, warning) => log.warn(message, { warning }))
    recordBuild(observing.metrics, version)
    config.gates.record(observing.metrics)
    for (const warning of [...warnings, ...config.gates.warnings]) log.warn(warning)
    const stopping = new AbortController()
    const signal = firstSignal(observing).then((received) => {
      log.info('stopping', { signal: received })
      state.isStopping = true
      stopping.abort(new Error(`${program} stops`))
      return received
    })
    const endpoint = await endpointOf(services, config)
    const connections = createServerConnections(services, endpoint)
    opened.defer(() => connections.close())
    const protobuf = config.protobuf ? createProtobufEncoding(services.scheme, { managedFields: false }) : undefined
    const server = { endpoint, connections, protobuf }
    const client = createClient(connect(services, config, server, name))
    opened.defer(() => client.close())
    await openComponentPages(services, component, state, opened)
    const lead = (leading: AbortSignal): Promise<void> =>
      work(component, { services, config, server, client }, state, leading)
    if (!config.election) await lead(stopping.signal)
    else {
      const leadership = elect(services, config.election, name, client, opened)
      state.leadership = leadership
      if ((await leadership.run(stopping.signal, lead)) === 'lost') {
        // The end of a process that must not act any more may not be delayed.
        await Promise.race([opened.disposeAsync(), systemClock.sleep(lostMsMax)])
        return 1
      }
    }
    await signal
    log.info('stopped')
    return 0
  } finally {
    await opened.disposeAsync()
    observing.close()
  }
}

async function openComponentPages<Config extends ComponentConfig>(
  services: ComponentServices,
  component: Component<Config>,
  state: Readonly<ComponentState>,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { name, version, flags, flagTables, config } = component
  // Every flag of the tables has a value.
  const values = flags as FlagValues<typeof flagTables>
  await openPages(
    services,
    flags,
    {
      facts: { component: name, version, shownFlags: showFlags(flagTables, values) },
      gate: (gate) => config.gates.gate(gate),
      health: pathsOf(component, state),
      configz: () => component.configz(),
      documents: new Map([[failuresPath, () => failuresDocument(state.manager?.failures() ?? [])]]),
    },
    opened,
  )
}

/** The checks are asked for at each request: controllers add theirs once they run. */
function pathsOf<Config extends ComponentConfig>(
  component: Component<Config>,
  state: Readonly<ComponentState>,
): PageDependencies['health'] {
  const paths = component.health(state).keys()
  return new Map(Array.from(paths, (path) => [path, () => component.health(state).get(path) ?? []]))
}

function elect(
  services: ComponentServices,
  election: LeaderElectionOptions,
  component: string,
  client: Client,
  opened: AsyncDisposableStack,
): Leadership {
  const events = createEventSink({ ...services, client }, { component })
  opened.defer(() => events.close())
  return createLeaderElection(
    {
      ...services,
      client,
      announce: (lease, message) => events.event(lease, 'Normal', 'LeaderElection', message),
    },
    election,
  )
}

/** Runs the controllers until `leading` aborts. */
async function work<Config extends ComponentConfig>(
  component: Component<Config>,
  tools: ComponentTools<Config>,
  state: ComponentState,
  leading: AbortSignal,
): Promise<void> {
  const { services, client } = tools
  await untilReachable(services, client, leading)
  if (leading.aborted) return
  const manager = await component.start(tools)
  state.manager = manager
  void manager.whenSynced().then(() => {
    state.isSynced = true
    services.clock.after(forgetMs, () => {
      if (leading.aborted) return
      const forgetting = forgetWhenQuiet(services.clock)
      leading.addEventListener('abort', () => void forgetting.close(), { once: true })
    })
  })
  await new Promise<void>((resolve) => {
    if (leading.aborted) resolve()
    leading.addEventListener('abort', () => resolve(), { once: true })
  })
  delete state.manager
  await manager.close()
}
