import { hostname } from 'node:os'
import { resources } from '../../api/gen/resources.ts'
import { type Client, createClient } from '../../lib/client/index.ts'
import { componentPages, reasonOf, StartError } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { makeServingPair, normalizeAuthorities, servingNames } from '../../lib/pki/index.ts'
import { cipherList, tlsVersion } from '../../lib/server/index.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import { pairInCertDir } from '../certdir.ts'
import { type ComponentServices, reviewTransport } from './connection.ts'
import { createDelegation } from './delegate.ts'
import type { ComponentFlags } from './flags.ts'
import type { PageDependencies } from './pages.ts'
import { type ServeOptions, servePages } from './serve.ts'

type ComponentFacts = Parameters<typeof componentPages>[0]

/** The content of the pages of one program. */
export interface PagesContent extends Pick<PageDependencies, 'health' | 'configz' | 'documents'> {
  /** For /statusz and /flagz. */
  readonly facts: Omit<ComponentFacts, 'fixedPaths'>
  gate(name: string): boolean
}

/** Opens the port with the operational pages; `opened` closes it. Rejects with StartError or FlagError. */
export async function openPages(
  services: ComponentServices,
  flags: ComponentFlags,
  { facts, gate, health, configz, documents }: PagesContent,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { log, clock, metrics, setVerbosity } = services
  const client = await reviewer(services, flags, facts.component, opened)
  const delegation = createDelegation(
    { clock, log, client },
    {
      tokenTtlMs: flags['authentication-token-webhook-cache-ttl'],
      allowedTtlMs: flags['authorization-webhook-cache-authorized-ttl'],
      deniedTtlMs: flags['authorization-webhook-cache-unauthorized-ttl'],
    },
  )
  const options = await serveOptions(services, flags, facts.component, client)
  const fixedPaths = ['/configz', ...health.keys(), '/metrics']
  const shown = componentPages({ ...facts, fixedPaths }, { ...services, gate })
  try {
    const pages = await servePages(
      { log, metrics, delegation, setVerbosity, health, configz, documents, componentPages: shown },
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
  services: ComponentServices,
  flags: ComponentFlags,
  userAgent: string,
  opened: AsyncDisposableStack,
): Promise<Client | undefined> {
  const path = flags['authentication-kubeconfig'] || flags['authorization-kubeconfig']
  if (path === '') return undefined
  try {
    const client = createClient(await reviewTransport(services, path, userAgent))
    opened.defer(() => client.close())
    return client
  } catch (error) {
    throw new FlagError(`--authentication-kubeconfig: ${reasonOf(error)}`, { cause: error })
  }
}

async function serveOptions(
  services: ComponentServices,
  flags: ComponentFlags,
  component: string,
  client: Client | undefined,
): Promise<ServeOptions> {
  const pair =
    flags['tls-cert-file'] === ''
      ? await selfSigned(services, flags, component)
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
  { log }: ComponentServices,
  flags: ComponentFlags,
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

async function selfSigned(
  services: ComponentServices,
  flags: ComponentFlags,
  pairName: string,
): Promise<{ certificate: string; key: string }> {
  const names = servingNames({ hostName: hostname(), more: [flags['bind-address']] })
  const folder = flags['cert-dir']
  if (folder === '') return makeServingPair(services, { names })
  return await pairInCertDir(services, { folder, pairName, names })
}

async function readNamed(flag: string, path: string): Promise<string> {
  return (await readOptional(flag, path)) ?? ''
}
