import { createPrivateKey } from 'node:crypto'
import { type Aggregation, createAggregation } from '../../aggregation/index.ts'
import { FileError, followFiles } from '../../base/index.ts'
import type { Credentials, ResolveService } from '../../client/index.ts'
import { readCertificate } from '../../pki/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { ownContext } from '../hooks/ownwrites.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'
import { groupPriorities } from './priorities.ts'

/** How to connect to other servers, and how they trust this server's statements about users. */
export interface AggregationSettings {
  /** --proxy-client-cert-file and --proxy-client-key-file, which are read again when they change; or PEM texts. */
  readonly proxyClient?:
    | { readonly certFile: string; readonly keyFile: string }
    | { readonly cert: string; readonly key: string }
  /** Connects to other servers and webhooks at endpoints of their services, bypassing cluster addresses. */
  readonly routesToEndpoints: boolean
  readonly rejectsRedirects: boolean
}

const defaults: AggregationSettings = { routesToEndpoints: false, rejectsRedirects: true }
const pollMs = 10_000

/** Undefined when APIServices are not served; stored ones are followed, see `ready`. */
export function openAggregation(
  { aggregation: settings = defaults, requestHeader }: ApiserverConfig,
  services: ServerServices,
  { registry, scheme }: Storage,
  served: ServedGroups,
  { credentials, resolve }: { readonly credentials: () => Credentials; readonly resolve: ResolveService },
  opened: AsyncDisposableStack,
): Aggregation | undefined {
  const aggregation = createAggregation(
    {
      ...services,
      log: services.log.named('aggregation'),
      registry,
      served,
      resolve,
      credentials,
      dialer: services.egress.cluster,
      context: ownContext,
      applyDefaults: (object) => scheme.objects.applyDefaults(object),
    },
    {
      rejectsRedirects: settings.rejectsRedirects,
      priorities: groupPriorities,
      isUserHeader: userHeadersOf(requestHeader),
    },
  )
  opened.defer(() => aggregation?.close())
  return aggregation
}

/** The configured headers by which front proxies name users. */
export function userHeadersOf(configured: ApiserverConfig['requestHeader']): (name: string) => boolean {
  if (!configured) return () => false
  const { usernameHeaders, uidHeaders, groupHeaders, extraPrefixes } = configured
  const names = new Set([...usernameHeaders, ...uidHeaders, ...groupHeaders].map((name) => name.toLowerCase()))
  const prefixes = extraPrefixes.filter((prefix) => prefix !== '').map((prefix) => prefix.toLowerCase())
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

/**
 * The certificate by which other servers trust this server's statements about users. Rejects with StartError when it
 * can't be used.
 */
export async function openProxyClient(
  { aggregation: { proxyClient: files } = defaults }: ApiserverConfig,
  services: ServerServices,
  opened: AsyncDisposableStack,
): Promise<() => Credentials> {
  if (!files) return () => ({})
  if ('cert' in files) return () => files
  const { certFile, keyFile } = files
  try {
    const followed = await followFiles<Credentials>(services, {
      what: 'the client certificate for aggregated servers',
      paths: [certFile, keyFile],
      pollMs,
      metrics: { prefix: 'apiserver_proxy_client_certificate', stability: 'ALPHA' },
      load(textOf) {
        const [cert, key] = [textOf(certFile), textOf(keyFile)]
        if (!readCertificate(cert).checkPrivateKey(createPrivateKey(key)))
          throw new Error(`private key ${keyFile} does not match certificate ${certFile}`)
        return { cert, key }
      },
    })
    opened.defer(() => followed.close())
    return () => followed.current()
  } catch (error) {
    const path = error instanceof FileError ? `${error.path}: ` : ''
    throw new StartError(`--proxy-client-cert-file, --proxy-client-key-file: ${path}${reasonOf(error)}`, {
      cause: error,
    })
  }
}
