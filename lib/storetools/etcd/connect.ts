import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type * as Grpc from '@grpc/grpc-js'
import type { Etcd3, IOptions } from 'etcd3'
import type { Clock } from '../../base/index.ts'
import { etcdAddressOf } from '../../storage/index.ts'
import { reasonOf, StoreToolError } from '../contract.ts'

export interface EtcdAddress {
  readonly endpoints: readonly string[]
  /** PEM content. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export interface CallOptions {
  /** Default 10 s. */
  readonly timeoutMs?: number
  /** May be carried out twice without harm: it is tried again on other endpoints. Default true. */
  readonly repeatable?: boolean
}

/** Calls to an etcd cluster. Rejections are StoreToolErrors, whose cause is the library's error. */
export interface EtcdConnection {
  readonly endpoints: readonly string[]
  call<Reply>(work: (client: Etcd3) => Promise<Reply>, options?: CallOptions): Promise<Reply>
  /** The same to one endpoint, for what concerns that member alone. */
  callAt<Reply>(endpoint: string, work: (client: Etcd3) => Promise<Reply>, options?: CallOptions): Promise<Reply>
  close(): void
}

/** A longer reply is refused by the client; pages are made smaller then. */
const replyBytesMax = 16 * 1024 * 1024
const timeoutMsDefault = 10_000
const pauseMs = 200

/** The library's retries and circuit breaker are left out: an answer too long would open the breaker for good calls. */
function untouched(): NonNullable<NonNullable<IOptions['faultHandling']>['global']> {
  const nothing = { dispose: () => undefined }
  const policy = {
    onSuccess: () => nothing,
    onFailure: () => nothing,
    execute: async <T>(work: (context: { signal: AbortSignal }) => PromiseLike<T> | T): Promise<T> =>
      await work({ signal: new AbortController().signal }),
  }
  // The rest of the type is a marker that no policy has.
  return policy as unknown as NonNullable<NonNullable<IOptions['faultHandling']>['global']>
}

/** Connects when first used. */
export async function connectEtcd(clock: Clock, { endpoints, tls }: EtcdAddress): Promise<EtcdConnection> {
  const { Etcd3, isRecoverableError } = await import('etcd3')
  const grpc = await import('@grpc/grpc-js')
  const isSecure = Object.keys(tls).length > 0
  const hosts = endpoints.map((endpoint) => normalHost(endpoint, isSecure))
  // One for each time limit as well: the library asks for a call's deadline only when other calls may have begun.
  const clients = new Map<string, Etcd3>()
  const clientOf = (host: string, timeoutMs: number): Etcd3 => {
    const existing = clients.get(`${host} ${timeoutMs}`)
    if (existing) return existing
    const policy = untouched()
    const own = channelOf(grpc, host, credentialsOf(tls))
    const client = new Etcd3({
      // A socket has no host and port to name; its channel is made with the path.
      hosts: host.replace(/^unix(s?):.*/, 'http$1://localhost'),
      ...(/^(https|unixs):/.test(host) && isSecure ? { credentials: credentialsOf(tls) } : {}),
      faultHandling: { host: () => policy, global: policy },
      grpcOptions: { 'grpc.max_receive_message_length': replyBytesMax, ...own },
      defaultCallOptions: ({ isStream }) => (isStream ? {} : { deadline: clock.now() + timeoutMs }),
    })
    clients.set(`${host} ${timeoutMs}`, client)
    return client
  }
  const attempt = async <Reply>(
    host: string,
    work: (client: Etcd3) => Promise<Reply>,
    timeoutMs = timeoutMsDefault,
  ): Promise<Reply> => await work(clientOf(host, timeoutMs))
  let first = 0
  return {
    endpoints: hosts,
    async call(work, { timeoutMs, repeatable = true } = {}) {
      for (let tries = 0; ; tries++) {
        const host = hosts[first % hosts.length] ?? ''
        try {
          return await attempt(host, work, timeoutMs)
        } catch (error) {
          const isLast = !repeatable || tries >= hosts.length || !(error instanceof Error && isRecoverableError(error))
          if (isLast) throw failed(hosts.length > 1 ? hosts : [host], error)
          first++
          await clock.sleep(pauseMs)
        }
      }
    },
    async callAt(endpoint, work, { timeoutMs } = {}) {
      try {
        return await attempt(normalHost(endpoint, isSecure), work, timeoutMs)
      } catch (error) {
        throw failed([endpoint], error)
      }
    },
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

function failed(hosts: readonly string[], cause: unknown): StoreToolError {
  if (cause instanceof StoreToolError) return cause
  return new StoreToolError(
    `etcd at ${hosts.join(', ')}: ${reasonOf(cause)
      .replaceAll('\n', ' ')
      .replace(/ Resolution note: $/, '')}`,
    { cause },
  )
}

function normalHost(endpoint: string, secure: boolean): string {
  if (/^unixs?:\/\/[^\s]*[^/\s]$/.test(endpoint)) return endpoint
  const text = endpoint.includes('://') ? endpoint : `${secure ? 'https' : 'http'}://${endpoint}`
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return `${url.origin}${url.port === '' ? ':2379' : ''}`
  const expected = 'http://host:port, https://host:port, unix://path or unixs://path is expected'
  throw new StoreToolError(`${endpoint} is no endpoint of etcd: ${expected}`)
}

/** Channels that the library doesn't make: to unix sockets, and to servers that their certificates name by address. */
function channelOf(grpc: typeof Grpc, host: string, credentials: Credentials): Grpc.ChannelOptions {
  const { target, name, secure } = etcdAddressOf(host)
  if ('path' in target) return bySocket(grpc, { path: resolve(target.path), name, secure }, credentials)
  return secure ? byAddress(grpc, target.host, credentials) : {}
}

function bySocket(
  grpc: typeof Grpc,
  { path, name, secure }: { readonly path: string; readonly name: string; readonly secure: boolean },
  { rootCertificate, privateKey, certChain }: Credentials,
): Grpc.ChannelOptions {
  return {
    ...(secure ? { 'grpc.ssl_target_name_override': name } : {}),
    channelFactoryOverride: (_address: string, _given: Grpc.ChannelCredentials, options: Grpc.ChannelOptions) => {
      const { createSsl, createInsecure } = grpc.credentials
      const channel = secure ? createSsl(rootCertificate, privateKey, certChain) : createInsecure()
      return new grpc.Channel(`unix:${path}`, channel, options)
    },
  }
}

/**
 * For an endpoint that is an address, makes the channels itself: the library would send the address as the server's name,
 * which TLS has no place for and Node refuses. The certificate has to be for the address all the same.
 */
function byAddress(
  grpc: typeof Grpc,
  host: string,
  { rootCertificate, privateKey, certChain }: Credentials,
): Grpc.ChannelOptions {
  if (isIP(host) === 0) return {}
  return {
    'grpc.ssl_target_name_override': 'etcd',
    channelFactoryOverride: (address: string, _given: Grpc.ChannelCredentials, options: Grpc.ChannelOptions) => {
      const verify = {
        checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
      }
      const secure = grpc.credentials.createSsl(rootCertificate, privateKey, certChain, verify)
      return new grpc.Channel(address, secure, options)
    },
  }
}

type Credentials = NonNullable<IOptions['credentials']>

function credentialsOf({ ca, cert, key }: EtcdAddress['tls']): Credentials {
  const credentials = {
    ...(ca === undefined ? {} : { rootCertificate: Buffer.from(ca) }),
    ...(cert === undefined ? {} : { certChain: Buffer.from(cert) }),
    ...(key === undefined ? {} : { privateKey: Buffer.from(key) }),
  }
  // Without a root the system's authorities are trusted, which the type leaves out.
  return credentials as Credentials
}
