import { createPrivateKey } from 'node:crypto'
import type { Authorizer } from '../../authz/index.ts'
import { FileError, followFiles, type TextOf } from '../../base/index.ts'
import type { Credentials } from '../../client/index.ts'
import { createNodeProxy, type NodeProxy } from '../../nodeproxy/index.ts'
import { normalizeAuthorities, readCertificate } from '../../pki/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'
import { userHeadersOf } from './aggregation.ts'

/** How this server connects to kubelets, and its credentials for them. */
export interface KubeletSettings {
  /** --kubelet-preferred-address-types. */
  readonly preferredAddressTypes: readonly string[]
  /** --kubelet-port. */
  readonly port: number
  /** --kubelet-timeout. */
  readonly connectTimeoutMs: number
  /** --max-connection-bytes-per-sec; 0: no limit. */
  readonly bytesPerSecMax?: number
  /** --kubelet-client-certificate and --kubelet-client-key, read again when they change; or the pair itself, in PEM. */
  readonly client?:
    | { readonly certFile: string; readonly keyFile: string }
    | { readonly cert: string; readonly key: string }
  /** --kubelet-certificate-authority; absent: certificates of kubelets are not verified. */
  readonly authorityFile?: string
}

export const defaultKubelets: KubeletSettings = {
  preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  port: 10_250,
  connectTimeoutMs: 5_000,
}

const pollMs = 10_000

/** Rejects with StartError when the files can't be used. */
export async function openNodeProxy(
  { kubelets = defaultKubelets, gates, requestHeader }: ApiserverConfig,
  services: ServerServices,
  { registry }: Storage,
  authorizer: Authorizer,
  opened: AsyncDisposableStack,
): Promise<NodeProxy> {
  const credentials = await openClient(kubelets.client, services, opened)
  const authorities = await openAuthorities(kubelets.authorityFile, services, opened)
  const nodeProxy = createNodeProxy(
    {
      ...services,
      log: services.log.named('nodeproxy'),
      registry,
      authorizer,
      credentials,
      authorities,
      dialer: services.egress.cluster,
      gate: (name) => gates.gate(name),
    },
    {
      preferredAddressTypes: kubelets.preferredAddressTypes,
      kubeletPort: kubelets.port,
      connectTimeoutMs: kubelets.connectTimeoutMs,
      bytesPerSecMax: kubelets.bytesPerSecMax ?? 0,
      isUserHeader: userHeadersOf(requestHeader),
    },
  )
  opened.defer(() => nodeProxy.close())
  return nodeProxy
}

async function openClient(
  client: KubeletSettings['client'],
  services: ServerServices,
  opened: AsyncDisposableStack,
): Promise<() => Credentials> {
  if (!client) return () => ({})
  if ('cert' in client) return () => client
  const { certFile, keyFile } = client
  return await follow(services, opened, {
    flags: '--kubelet-client-certificate, --kubelet-client-key',
    what: 'the client certificate for kubelets',
    paths: [certFile, keyFile],
    prefix: 'apiserver_kubelet_client_certificate',
    load(textOf) {
      const [cert, key] = [textOf(certFile), textOf(keyFile)]
      if (!readCertificate(cert).checkPrivateKey(createPrivateKey(key)))
        throw new Error(`private key ${keyFile} does not match certificate ${certFile}`)
      return { cert, key }
    },
  })
}

async function openAuthorities(
  path: string | undefined,
  services: ServerServices,
  opened: AsyncDisposableStack,
): Promise<() => string | undefined> {
  if (path === undefined) return () => undefined
  return await follow(services, opened, {
    flags: '--kubelet-certificate-authority',
    what: 'the authorities of kubelets',
    paths: [path],
    prefix: 'apiserver_kubelet_certificate_authority',
    load: (textOf) => normalizeAuthorities(textOf(path)),
  })
}

interface Followed<Value> {
  readonly flags: string
  readonly what: string
  readonly paths: readonly string[]
  /** The prefix of its metrics. */
  readonly prefix: string
  load(textOf: TextOf): Value
}

async function follow<Value>(
  services: ServerServices,
  opened: AsyncDisposableStack,
  { flags, what, paths, prefix, load }: Followed<Value>,
): Promise<() => Value> {
  try {
    const metrics = { prefix, stability: 'ALPHA' } as const
    const followed = await followFiles(services, { what, paths, pollMs, metrics, load })
    opened.defer(() => followed.close())
    return () => followed.current()
  } catch (error) {
    const path = error instanceof FileError ? `${error.path}: ` : ''
    throw new StartError(`${flags}: ${path}${reasonOf(error)}`, { cause: error })
  }
}
