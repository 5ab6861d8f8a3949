import type * as Grpc from '@grpc/grpc-js'
import type { Clock, Random } from '../../base/index.ts'
import type { DialThroughProxy } from '../contract.ts'
import { decodePacket, encodePacket, type SentPacket } from './packets.ts'
import { openTunnel } from './tunnel.ts'

type Library = typeof Grpc
type Channel = ReturnType<Grpc.Client['getChannel']>

const method = '/ProxyService/Proxy'
/** Maximum size of a packet from the proxy: agents send 4 KiB of data in one. */
const packetBytesMax = 1024 * 1024

/**
 * Dials through konnectivity's tunnel, a gRPC stream over a Unix socket. As with the stock server, each connection has
 * a stream and a gRPC connection to itself, so that a slow reader holds up nothing else. Rejects with an Error when the
 * library, an optional dependency, is not installed.
 */
export async function createTunnelDialer(
  services: { readonly clock: Clock; readonly random: Random },
  socketPath: string,
): Promise<DialThroughProxy> {
  const grpc = await loadLibrary()
  return async (target, signal, connected) => {
    const client = new grpc.Client(`unix:${socketPath}`, grpc.credentials.createInsecure(), {
      // Not shared with other clients: the connection ends with this one.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc.enable_http_proxy': 0,
      'grpc.max_receive_message_length': packetBytesMax,
      'grpc.default_authority': 'localhost',
    })
    try {
      if (await isReached(grpc, client.getChannel(), signal)) connected()
      return await openTunnel(openStream(client), { ...services, release: () => client.close() }, target, signal)
    } catch (error) {
      client.close()
      throw error
    }
  }
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('@grpc/grpc-js')
  } catch (cause) {
    throw new Error('proxies by GRPC need the package @grpc/grpc-js: install it beside this one', { cause })
  }
}

function openStream(client: Grpc.Client) {
  return client.makeBidiStreamRequest(method, (packet: SentPacket) => encodePacket(packet), decodePacket)
}

/**
 * Whether the proxy accepts connections. When it doesn't, a request fails at once, with the reason. Rejects with the
 * signal's reason.
 */
async function isReached({ connectivityState }: Library, channel: Channel, signal: AbortSignal): Promise<boolean> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  try {
    for (let state = channel.getConnectivityState(true); ; state = channel.getConnectivityState(true)) {
      signal.throwIfAborted()
      if (state === connectivityState.READY) return true
      if (state === connectivityState.TRANSIENT_FAILURE) return false
      const changed = new Promise<void>((done) =>
        // A channel that is closed calls back, too.
        channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => done()),
      )
      await Promise.race([changed, aborted])
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    aborted.catch(() => {})
  }
}
