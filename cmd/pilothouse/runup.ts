import { join, resolve } from 'node:path'
import type { Clock, Closable, Random } from '../../lib/base/index.ts'
import type { ControllerSettings, Manager } from '../../lib/controller/index.ts'
import {
  type Apiserver,
  type ApiserverConfig,
  checkControllerNames,
  type LocalNodes,
  reasonOf,
  startLocalControllers,
  startLocalNodes,
  startsController,
} from '../../lib/controlplane/index.ts'
import { FlagError, type ParsedFlags, showFlags } from '../../lib/flags/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { configure, namesToServe } from '../apiserver/configure.ts'
import { configureObserving } from '../apiserver/configureobserving.ts'
import { checkFlags } from '../apiserver/rules.ts'
import { runApiserver } from '../apiserver/run.ts'
import {
  adminEntry,
  authorityOf,
  findServingPair,
  type KeptCredentials,
  type KeptServingPair,
  keepCredentials,
  keepServingPair,
  kubeletClientOf,
  readIfThere,
  signersOf,
  tokenIssuer,
  writeSafely,
} from './credentials.ts'
import { controllersOfPlugins, type UpFlags, upFlags } from './flags.ts'
import { frontProxyClient, frontProxyFlags } from './frontproxy.ts'
import { formatKubeconfig, givesAccess } from './kubeconfig.ts'
import { checkNodePrefix, identityOf, nodesMax } from './planeconfig.ts'
import { stagesOf } from './stagefiles.ts'

/** Runs the control plane of these flags until a signal ends it; returns the exit code. */
export async function runUp(parsed: ParsedFlags<typeof upFlags>): Promise<number> {
  const { warnings } = parsed
  let { values } = parsed
  if (values['data-dir'] === '') throw new FlagError('--data-dir must name a folder')
  checkFlags(parsed)
  if (values.processes !== '1')
    throw new FlagError('--processes is for pilothouse-apiserver: controllers and nodes of `up` run in its one process')
  checkControllers(values)
  checkNodes(values)
  if (!parsed.given.has('disable-admission-plugins')) values = withoutIdlePlugins(values)
  const folder = resolve(values['data-dir'])
  let credentials: KeptCredentials | undefined
  /** Absent where --tls-cert-file names a certificate. */
  let serving: KeptServingPair | undefined
  let controllers: Manager | undefined
  let nodes: LocalNodes | undefined
  return await runApiserver({
    program: 'pilothouse',
    warnings,
    observe: await configureObserving(values),
    async configure(services) {
      credentials = await keepCredentials(services, folder)
      serving = await servingPair(services, values, folder, credentials)
      const flags = withCredentials(values, folder, credentials, serving)
      const config = await configure(flags, services, programVersion, parsed.given)
      return {
        ...config,
        kubelets: withOwnClient(config.kubelets, credentials),
        ...frontProxyClient(values, config.aggregation, credentials.frontProxy),
        shownFlags: showFlags(upFlags, values),
        controllerFailures: () =>
          [controllers, nodes].flatMap((part) => part?.failures() ?? []).sort((a, b) => b.atMs - a.atMs),
        tokens: [...config.tokens, adminEntry(credentials.adminToken)],
        authorization: {
          ...config.authorization,
          aggregatesRoles: !startsController(values.controllers, 'clusterrole-aggregation-controller'),
        },
      }
    },
    async beside(server, { gates, version, emulation, store }, services) {
      const settings = controllerSettings(values, credentials, serving)
      const gate = (name: string): boolean => gates.gate(name)
      controllers = await startLocalControllers(server.local, services, {
        wanted: values.controllers,
        settings,
        gate,
        release: emulation?.release,
      })
      const parts: Closable[] = [controllers]
      if (values.nodes > 0 && credentials) {
        nodes = await startLocalNodes(server.local, services, {
          count: values.nodes,
          prefix: values['node-name-prefix'],
          identity: identityOf(store),
          prefixSetting: '--node-name-prefix',
          authority: authorityOf(services, credentials),
          version: version.gitVersion,
          schedules: values.scheduler === 'default',
          seed: values.seed === 0 ? undefined : values.seed,
          stages: await stagesOf(values.stages, services, parts),
          gate,
        })
        parts.push(nodes)
      }
      return { close: async () => void (await Promise.all(parts.map(async (part) => await part.close()))) }
    },
    async onReady(server, { console: page }, { log }) {
      if (!credentials) return
      const path = await keepKubeconfig(folder, credentials, serving, server)
      if (values['logging-format'] === 'json') log.info('access', { kubeconfig: path })
      else process.stdout.write(`export KUBECONFIG=${quoteForShell(path)}\n`)
      if (page === undefined) return
      const address = `${server.url}/console/`
      if (values['logging-format'] === 'json') log.info('console', { address })
      else process.stdout.write(`# console: ${address} takes the token of that file\n`)
    },
  })
}

/**
 * Without the admission plugins whose controllers don't run: no controller would create the default account, or release
 * a volume.
 */
function withoutIdlePlugins(values: UpFlags): UpFlags {
  const lacks = (name: string): boolean => !startsController(values.controllers, name)
  const idle = Object.keys(controllersOfPlugins).filter((plugin) => controllersOfPlugins[plugin]?.some(lacks))
  const wanted = new Set(values['enable-admission-plugins'])
  return { ...values, 'disable-admission-plugins': idle.filter((plugin) => !wanted.has(plugin)) }
}

function checkControllers({ controllers }: UpFlags): void {
  try {
    checkControllerNames(controllers)
  } catch (error) {
    throw new FlagError(`--controllers: ${reasonOf(error)}`, { cause: error })
  }
}

function checkNodes({ nodes, scheduler, stages, 'node-name-prefix': prefix }: UpFlags): void {
  if (nodes < 0 || nodes > nodesMax) throw new FlagError(`--nodes must be between 0 and ${nodesMax}`)
  checkNodePrefix(prefix, (message) => new FlagError(`--node-name-prefix ${message}`))
  if (nodes === 0 && stages !== '') throw new FlagError('--stages needs --nodes')
  if (scheduler !== 'default' && scheduler !== 'none') throw new FlagError('--scheduler must be default or none')
}

/** Kubelets trust the authority that the server itself trusts for clients. */
function withOwnClient(
  kubelets: ApiserverConfig['kubelets'],
  credentials: KeptCredentials,
): ApiserverConfig['kubelets'] {
  return kubelets && { ...kubelets, client: kubelets.client ?? kubeletClientOf(credentials) }
}

/** The controllers publish the server's own certificate authority and sign with its token key. */
function controllerSettings(
  values: UpFlags,
  credentials: KeptCredentials | undefined,
  serving: KeptServingPair | undefined,
): Partial<ControllerSettings> {
  if (!credentials) return {}
  return {
    ...(serving?.isOwn === true ? { rootCa: credentials.caCertificate } : {}),
    ...(signsTokens(values) ? {} : { serviceAccountPrivateKey: credentials.tokenKey }),
    // Signs only with the authority that the server trusts for clients.
    ...(values['client-ca-file'] === '' ? { clusterSigning: signersOf(credentials) } : {}),
  }
}

async function servingPair(
  services: { readonly clock: Clock; readonly random: Random },
  values: UpFlags,
  folder: string,
  credentials: KeptCredentials,
): Promise<KeptServingPair | undefined> {
  if (values['tls-cert-file'] !== '') return undefined
  const names = namesToServe(values)
  const certDir = values['cert-dir']
  if (certDir === '') return await keepServingPair(services, folder, credentials, names)
  return await findServingPair(services, resolve(certDir), credentials, names)
}

/** The flags as if the operator had named the files of the data folder. */
function withCredentials(
  values: UpFlags,
  folder: string,
  credentials: KeptCredentials,
  serving: KeptServingPair | undefined,
): UpFlags {
  return {
    ...values,
    ...frontProxyFlags(values, credentials.frontProxyCaFile),
    'data-dir': join(folder, 'store'),
    ...(serving ? { 'tls-cert-file': serving.certificateFile, 'tls-private-key-file': serving.keyFile } : {}),
    ...(signsTokens(values)
      ? {}
      : {
          'service-account-signing-key-file': credentials.tokenKeyFile,
          'service-account-issuer':
            values['service-account-issuer'].length === 0 ? [tokenIssuer] : values['service-account-issuer'],
        }),
    ...(values['client-ca-file'] === '' ? { 'client-ca-file': credentials.caFile } : {}),
  }
}

/** True when the operator has configured service account keys: ours are then not used. */
function signsTokens(values: UpFlags): boolean {
  return values['service-account-signing-key-file'] !== '' || values['service-account-key-file'].length > 0
}

/** Writes the kubeconfig, unless an existing one is valid; returns its path. */
async function keepKubeconfig(
  folder: string,
  credentials: KeptCredentials,
  serving: KeptServingPair | undefined,
  server: Apiserver,
): Promise<string> {
  const path = join(folder, 'admin.kubeconfig')
  const access = {
    url: server.url,
    token: credentials.adminToken,
    ...(serving?.isOwn === true ? { caCertificate: credentials.caCertificate } : {}),
  }
  const found = await readIfThere(path)
  if (found === undefined || !givesAccess(found, access)) await writeSafely(path, formatKubeconfig(access), 0o600)
  return path
}

function quoteForShell(path: string): string {
  return /^[\w/.+,:@-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
