import { connect, type Socket } from 'node:net'
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import { placeOf } from './connectproxy.ts'

/** The protocol as protobufjs reads it from a schema, apart from the codec under test. */
const schema = protobuf.parse(`
  syntax = "proto3";
  enum PacketType { DIAL_REQ = 0; DIAL_RSP = 1; CLOSE_REQ = 2; CLOSE_RSP = 3; DATA = 4; DIAL_CLS = 5; DRAIN = 6; }
  message Packet {
    PacketType type = 1;
    oneof payload {
      DialRequest dialRequest = 2; DialResponse dialResponse = 3; Data data = 4; CloseRequest closeRequest = 5;
      CloseResponse closeResponse = 6; CloseDial closeDial = 7; Drain drain = 8;
    }
  }
  message DialRequest { string protocol = 1; string address = 2; int64 random = 3; }
  message DialResponse { string error = 1; int64 connectID = 2; int64 random = 3; }
  message Data { int64 connectID = 1; string error = 2; bytes data = 3; }
  message CloseRequest { int64 connectID = 1; }
  message CloseResponse { string error = 1; int64 connectID = 2; }
  message CloseDial { int64 random = 1; }
  message Drain {}
`)
const packetType = schema.root.lookupType('Packet')

/** A packet with ids as text and types by name. */
export interface WirePacket {
  readonly type: string
  readonly dialRequest?: { readonly protocol?: string; readonly address: string; readonly random: string }
  readonly dialResponse?: { readonly error?: string; readonly connectID?: string; readonly random: string }
  readonly data?: { readonly connectID?: string; readonly error?: string; readonly data: Uint8Array }
  readonly closeRequest?: { readonly connectID: string }
  readonly closeResponse?: { readonly error?: string; readonly connectID: string }
  readonly closeDial?: { readonly random: string }
  readonly drain?: object
}

export function encodeWirePacket(packet: WirePacket): Buffer {
  return Buffer.from(packetType.encode(packetType.fromObject(packet)).finish())
}

export function decodeWirePacket(bytes: Uint8Array): WirePacket {
  const options = { longs: String, enums: String, defaults: false } as const
  return { type: 'DIAL_REQ', ...(packetType.toObject(packetType.decode(bytes), options) as object) } as WirePacket
}

export type ProxyStream = ServerDuplexStream<WirePacket, WirePacket>

export interface KonnectivityProxy {
  readonly dialled: string[]
  readonly received: WirePacket[]
  readonly streams: ReadonlySet<ProxyStream>
  /** Connections to targets that are open. */
  readonly open: ReadonlySet<Socket>
  close(): void
}

export interface KonnectivityOptions {
  /** Where it finds a target; default: the target itself. */
  readonly find?: (target: string) => { readonly host: string; readonly port: number }
  /** Acts on a packet instead of the proxy; true: it has. */
  readonly instead?: (packet: WirePacket, stream: ProxyStream) => boolean
}

/** A proxy that speaks konnectivity's gRPC on a Unix socket, and connects to targets itself, as its agents do. */
export async function startKonnectivityProxy(
  socketPath: string,
  { find = placeOf, instead }: KonnectivityOptions = {},
): Promise<KonnectivityProxy> {
  const dialled: string[] = []
  const received: WirePacket[] = []
  const streams = new Set<ProxyStream>()
  const open = new Set<Socket>()
  let lastId = 0

  function dial(stream: ProxyStream, { address, random }: NonNullable<WirePacket['dialRequest']>): Socket {
    const connectID = String(++lastId)
    dialled.push(address)
    const socket = connect(find(address))
    open.add(socket)
    socket.once('connect', () => stream.write({ type: 'DIAL_RSP', dialResponse: { connectID, random } }))
    socket.on('data', (data: Buffer) => {
      if (!stream.write({ type: 'DATA', data: { connectID, data } })) socket.pause()
    })
    stream.on('drain', () => socket.resume())
    socket.once('error', (error) => {
      if (socket.connecting || !socket.remoteAddress)
        stream.write({ type: 'DIAL_RSP', dialResponse: { error: `dial tcp ${address}: ${error.message}`, random } })
    })
    socket.once('close', () => {
      open.delete(socket)
      stream.write({ type: 'CLOSE_RSP', closeResponse: { connectID } })
    })
    return socket
  }

  function serve(stream: ProxyStream): void {
    let socket: Socket | undefined
    streams.add(stream)
    stream.on('data', (packet: WirePacket) => {
      if (packet.type !== 'DATA') received.push(packet)
      if (instead?.(packet, stream) === true) return
      if (packet.dialRequest) socket = dial(stream, packet.dialRequest)
      else if (packet.data && socket && !socket.write(packet.data.data)) {
        stream.pause()
        socket.once('drain', () => stream.resume())
      } else if (packet.closeRequest ?? packet.closeDial) socket?.destroy()
    })
    const over = (): void => {
      streams.delete(stream)
      socket?.destroy()
    }
    stream.on('end', () => {
      over()
      stream.end()
    })
    stream.on('cancelled', over)
    stream.on('error', over)
  }

  const server = new Server({ 'grpc.max_receive_message_length': 4 * 1024 * 1024 })
  const path = '/ProxyService/Proxy'
  server.addService(
    {
      Proxy: {
        path,
        requestStream: true,
        responseStream: true,
        requestSerialize: encodeWirePacket,
        requestDeserialize: decodeWirePacket,
        responseSerialize: encodeWirePacket,
        responseDeserialize: decodeWirePacket,
      },
    },
    { Proxy: serve },
  )
  await new Promise<void>((done, failed) =>
    server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) =>
      error ? failed(error) : done(),
    ),
  )
  return {
    dialled,
    received,
    streams,
    open,
    close() {
      for (const socket of open) socket.destroy()
      server.forceShutdown()
    },
  }
}
