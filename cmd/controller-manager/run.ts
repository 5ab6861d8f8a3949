import { hostname } from 'node:os'
import { resources } from '../../api/gen/resources.ts'
import { tables } from '../../api/index.ts'
import { type Clock, type Random, systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createHttpTransport,
  loadInCluster,
  loadKubeconfig,
  type ServerEndpoint,
  type Transport,
  withRateLimit,
  withRetryAfter,
} from '../../lib/client/index.ts'
import {
  createEventSink,
  createLeaderElection,
  type Leadership,
  type Manager,
  selectControllers,
  startControllers,
} from '../../lib/controller/index.ts'
import { controllers } from '../../lib/controllers/index.ts'
import { componentPages, type ProcessEnvironment, reasonOf, StartError } from '../../lib/controlplane/index.ts'
import type { VersionInfo } from '../../lib/features/index.ts'
import { FlagError, showFlags } from '../../lib/flags/index.ts'
import { recordBuild } from '../../lib/observe/index.ts'
import { makeServingPair, normalizeAuthorities, servingNames } from '../../lib/pki/index.ts'
import { createScheme, type Scheme } from '../../lib/scheme/index.ts'
import { cipherList, tlsVersion } from '../../lib/server/index.ts'
import { configureObserving } from '../apiserver/configureobserving.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import { createObserving, type Observing } from '../apiserver/observing.ts'
import { pairInCertDir } from '../certdir.ts'
import { forgetStart } from '../engine.ts'
import { crashLoudly, firstSignal, ignoreClosedOutput } from '../lifetime.ts'
import { processEnvironment } from '../processenvironment.ts'
import { catchStrayOutput } from '../strayoutput.ts'
import { createAccountCredentials, createAccountMaker } from './accounts.ts'
import type { ManagerConfig } from './configure.ts'
import { configzOf } from './configz.ts'
import { createDelegation } from './delegate.ts'
import { type ManagerFlags, managerFlags } from './flags.ts'
import type { ManagerCheck } from './pages.ts'
import { type ServeOptions, servePages } from './serve.ts'

const userAgent = 'kube-controller-manager'
/** The paths that /statusz lists. */
const fixedPaths = ['/configz', '/healthz', '/metrics']
const connectPauseMs = 1000
const connectMsMax = 10_000
/** Time for the controllers' initial work. */
const forgetMs = 2000
/** Time to stop after the lease is lost. */
const lostMsMax = 2_000

/**
 * Runs the controllers until a signal ends them, or the lease is lost; returns the exit code. The port is open from the
 * beginning; the controllers run while this process leads.
 */
export async function runManager(
  program: string,
  flags: ManagerFlags,
  config: ManagerConfig,
  version: VersionInfo,
  warnings: readonly string[],
): Promise<number> {
  const observing = await createObserving(await configureObserving(flags))
  const { log } = observing
  const services = {
    ...processEnvironment,
    clock: systemClock,
    random: systemRandom,
    ...observing,
    scheme: createScheme({ tables }),
  }
  const opened = new AsyncDisposableStack()
  try {
    crashLoudly(observing, program)
    ignoreClosedOutput(observing)
    catchStrayOutput((message, warning) => log.warn(message, { warning }))
    recordBuild(observing.metrics, version)
    config.gates.record(observing.metrics)
    for (const warning of [...warnings, ...config.gates.warnings]) log.warn(warning)
    const stopping = new AbortController()
    const signal = firstSignal(observing).then((name) => {
      log.info('stopping', { signal: name })
      stopping.abort(new Error('the controller manager stops'))
      return name
    })
    const endpoint = await endpointOf(services, config)
    const shared = createClient(connect(services, config, endpoint, userAgent))
    opened.defer(() => shared.close())

    const state: State = {}
    await openPages(services, flags, config, version, state, opened)
    const lead = (leading: AbortSignal): Promise<void> => work(services, config, endpoint, shared, state, leading)
    if (!config.election) await lead(stopping.signal)
    else {
      const outcome = await elect(services, config.election, shared, state, opened).run(stopping.signal, lead)
      if (outcome === 'lost') {
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

type Services = Observing &
  ProcessEnvironment & { readonly clock: Clock; readonly random: Random; readonly scheme: Scheme }

async function endpointOf(services: Services, { kubeconfig, master }: ManagerConfig): Promise<ServerEndpoint> {
  try {
    const endpoint =
      kubeconfig !== ''
        ? await loadKubeconfig(services, kubeconfig)
        : master === ''
          ? await loadInCluster(services, services.environment)
          : { url: master }
    return master === '' ? endpoint : { ...endpoint, url: master }
  } catch (error) {
    throw new StartError(`--kubeconfig: ${reasonOf(error)}`, { cause: error })
  }
}

function connect(services: Services, config: ManagerConfig, endpoint: ServerEndpoint, agent: string): Transport {
  const transport = createHttpTransport(services, endpoint, {
    userAgent: agent,
    scheme: config.protobuf ? services.scheme : undefined,
  })
  const patient = withRetryAfter(transport, services)
  return config.rateLimit ? withRateLimit(patient, services, config.rateLimit) : patient
}

/** The port with the operational pages. */
async function openPages(
  services: Services,
  flags: ManagerFlags,
  config: ManagerConfig,
  version: VersionInfo,
  state: Readonly<State>,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { log, clock } = services
  const client = await reviewer(services, flags, opened)
  const delegation = createDelegation(
    { clock, log, client },
    {
      tokenTtlMs: flags['authentication-token-webhook-cache-ttl'],
      allowedTtlMs: flags['authorization-webhook-cache-authorized-ttl'],
      deniedTtlMs: flags['authorization-webhook-cache-unauthorized-ttl'],
    },
  )
  const options = await serveOptions(services, flags, client)
  const { metrics, setVerbosity } = services
  try {
    const pages = await servePages(
      {
        log,
        metrics,
        delegation,
        setVerbosity,
        checks: () => checksOf(state),
        configz: () => configzOf(flags),
        componentPages: componentPages(
          { component: userAgent, version, fixedPaths, shownFlags: showFlags(managerFlags, flags) },
          { ...services, gate: (name) => config.gates.gate(name) },
        ),
      },
      options,
    )
    opened.defer(() => pages.close())
    log.info('serving', { url: `https://${options.host}:${pages.port}` })
  } catch (error) {
    throw new StartError(`can't listen on ${options.host}, port ${options.port}: ${reasonOf(error)}`, { cause: error })
  }
}

/** The client for TokenReviews and SubjectAccessReviews; undefined without a kubeconfig for them. */
async function reviewer(
  services: Services,
  flags: ManagerFlags,
  opened: AsyncDisposableStack,
): Promise<Client | undefined> {
  const path = flags['authentication-kubeconfig'] || flags['authorization-kubeconfig']
  if (path === '') return undefined
  try {
    const transport = createHttpTransport(services, await loadKubeconfig(services, path), {
      userAgent,
      timeoutMs: connectMsMax,
    })
    const client = createClient(transport)
    opened.defer(() => client.close())
    return client
  } catch (error) {
    throw new FlagError(`--authentication-kubeconfig: ${reasonOf(error)}`, { cause: error })
  }
}

async function serveOptions(
  services: Services,
  flags: ManagerFlags,
  client: Client | undefined,
): Promise<ServeOptions> {
  const pair =
    flags['tls-cert-file'] === ''
      ? await selfSigned(services, flags)
      : {
          certificate: await readNamed('tls-cert-file', flags['tls-cert-file']),
          key: await readNamed('tls-private-key-file', flags['tls-private-key-file']),
        }
  const clientAuthorities =
    flags['client-ca-file'] === ''
      ? await clusterAuthorities(services, flags, client)
      : await readNamed('client-ca-file', flags['client-ca-file'])
  const suites = flags['tls-cipher-suites']
  return {
    host: flags['bind-address'],
    port: flags['secure-port'],
    ...pair,
    clientAuthorities: clientAuthorities === undefined ? undefined : normalizeAuthorities(clientAuthorities),
    tlsMinVersion: withFlagName('tls-min-version', () => tlsVersion(flags['tls-min-version'] || 'VersionTLS12')),
    ciphers: suites.length === 0 ? undefined : withFlagName('tls-cipher-suites', () => cipherList(suites)),
    open: flags['authorization-always-allow-paths'],
  }
}

/** The client authorities that the API server publishes. */
async function clusterAuthorities(
  { log }: Services,
  flags: ManagerFlags,
  client: Client | undefined,
): Promise<string | undefined> {
  if (!client || flags['authentication-skip-lookup']) return undefined
  const name = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }
  try {
    return (await client.resource(resources.core.v1.configmaps).get(name)).data?.['client-ca-file']
  } catch (error) {
    if (!flags['authentication-tolerate-lookup-failure'])
      log.warn('client certificates are not known: extension-apiserver-authentication can not be read', { error })
    return undefined
  }
}

async function selfSigned(services: Services, flags: ManagerFlags): Promise<{ certificate: string; key: string }> {
  const names = servingNames({ hostName: hostname(), more: [flags['bind-address']] })
  const folder = flags['cert-dir']
  if (folder === '') return makeServingPair(services, { names })
  return await pairInCertDir(services, { folder, pairName: 'kube-controller-manager', names })
}

async function readNamed(flag: string, path: string): Promise<string> {
  return (await readOptional(flag, path)) ?? ''
}

/** The state of the controllers and of the leader election, for the pages. */
interface State {
  manager?: Manager
  leadership?: Leadership
}

function checksOf({ manager, leadership }: Readonly<State>): ManagerCheck[] {
  const running = (manager?.controllers ?? []).map((name) => ({ name, check: () => manager?.check(name) }))
  const election = leadership ? [{ name: 'leaderElection', check: () => leadership.check() }] : []
  const checks = [...election, ...running]
  return checks.length > 0 ? checks : [{ name: 'ping', check: () => undefined }]
}

function elect(
  services: Services,
  election: NonNullable<ManagerConfig['election']>,
  client: Client,
  state: State,
  opened: AsyncDisposableStack,
): Leadership {
  const events = createEventSink({ ...services, client }, { component: userAgent })
  opened.defer(() => events.close())
  const leadership = createLeaderElection(
    {
      ...services,
      client,
      announce: (lease, message) => events.event(lease, 'Normal', 'LeaderElection', message),
    },
    election,
  )
  state.leadership = leadership
  return leadership
}

/** Runs the controllers until `leading` aborts. */
async function work(
  services: Services,
  config: ManagerConfig,
  endpoint: ServerEndpoint,
  shared: Client,
  state: State,
  leading: AbortSignal,
): Promise<void> {
  const makeAccount = createAccountMaker({ client: shared, log: services.log })
  const connectAs = (account: string, isShared = false): Transport => {
    if (account === '') return connect(services, config, endpoint, userAgent)
    if (!config.accounts || isShared) return connect(services, config, endpoint, `${userAgent}/${account}`)
    void makeAccount(account)
    const { authorization: _token, cert: _cert, key: _key, credentials: _source, ...open } = endpoint
    const credentials = createAccountCredentials({ clock: services.clock, client: shared }, account)
    const agent = `${userAgent}/system:serviceaccount:kube-system:${account}`
    return connect(services, config, { ...open, credentials }, agent)
  }
  const { log } = services
  await untilReachable(services, shared, leading)
  if (leading.aborted) return
  const manager = await startControllers(
    {
      ...services,
      log: log.named('controllers'),
      connect: connectAs,
      gate: (name) => config.gates.gate(name),
      release: config.emulation.release,
    },
    selectControllers(controllers, config.controllers),
    { settings: config.settings, shutdownMs: config.shutdownMs },
  )
  state.manager = manager
  log.info('controllers are running', { controllers: manager.controllers.length })
  void manager.whenSynced().then(() => services.clock.after(forgetMs, forgetStart))
  await new Promise<void>((resolve) => {
    if (leading.aborted) resolve()
    leading.addEventListener('abort', () => resolve(), { once: true })
  })
  delete state.manager
  await manager.close()
}

/** The API server may start at the same time. Rejects with StartError when it does not answer in time. */
async function untilReachable({ clock, log }: Services, client: Client, signal: AbortSignal): Promise<void> {
  const sinceMs = clock.monotonicMs()
  for (;;) {
    try {
      await client.resource(resources.core.v1.namespaces).get({ name: 'kube-system' }, { signal })
      return
    } catch (error) {
      if (signal.aborted) return
      if (clock.monotonicMs() - sinceMs >= connectMsMax)
        throw new StartError(`the API server can't be reached: ${reasonOf(error)}`, { cause: error })
      log.verbose(1, 'waiting for the API server', { error })
      await clock.sleep(connectPauseMs, signal).catch(() => {})
    }
  }
}
