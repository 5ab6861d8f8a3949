import { ApiError, type Session, session } from './session.ts'
import { requireSameUser } from './streamuser.ts'

/** Channels of v5.channel.k8s.io. */
const stdin = 0
const stdout = 1
const stderr = 2
const status = 3
const resizing = 4
/** Its payload is the number of a channel that ends. */
const ending = 255

export interface Channels {
  /** Bytes that are not sent yet. */
  readonly waitingBytes: number
  send(input: string | Uint8Array): void
  /** Ends the input. */
  endInput(): void
  resize(columns: number, rows: number): void
}

interface ChannelEvents {
  onOpen(): void
  /** Default: errors are output, too. */
  onErrors?(bytes: Uint8Array): void
  onOutput(bytes: Uint8Array<ArrayBuffer>): void
  /** '' when the command ended well, and the server said so. */
  onEnd(message: string): void
}

/**
 * A command's streams over a WebSocket, until `closing` aborts. A browser can't set headers there, so the token is one of
 * the protocols. Throws OtherUser, ApiError, and what `closing` aborts with.
 */
export async function openChannels(path: string, closing: AbortSignal, events: ChannelEvents): Promise<Channels> {
  const sender = session.value
  if (!sender) throw new ApiError(401, 'Unauthorized', '')
  await requireSameUser(sender)
  closing.throwIfAborted()
  const address = new URL(path, location.href)
  address.protocol = 'wss:'
  const socket = new WebSocket(address, ['v5.channel.k8s.io', ...credential(sender)])
  socket.binaryType = 'arraybuffer'
  closing.addEventListener('abort', () => socket.close())
  const encoder = new TextEncoder()
  const send = (channel: number, bytes: Uint8Array): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    const frame = new Uint8Array(bytes.length + 1)
    frame[0] = channel
    frame.set(bytes, 1)
    socket.send(frame)
  }
  let ended: string | undefined
  socket.addEventListener('open', () => events.onOpen())
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    const bytes = new Uint8Array(data)
    const [channel] = bytes
    if (channel === stderr && events.onErrors) events.onErrors(bytes.subarray(1))
    else if (channel === stdout || channel === stderr) events.onOutput(bytes.subarray(1))
    if (channel === status) ended = messageOf(new TextDecoder().decode(bytes.subarray(1)))
  })
  socket.addEventListener('close', ({ reason }) => events.onEnd(ended ?? (reason || 'the connection broke off')))
  return {
    get waitingBytes() {
      return socket.bufferedAmount
    },
    send: (input) => send(stdin, typeof input === 'string' ? encoder.encode(input) : input),
    endInput: () => send(ending, Uint8Array.of(stdin)),
    resize: (columns, rows) => send(resizing, encoder.encode(JSON.stringify({ Width: columns, Height: rows }))),
  }
}

function credential({ token }: Session): string[] {
  if (token === '') return []
  const encoded = btoa(token).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return [`base64url.bearer.authorization.k8s.io.${encoded}`]
}

function messageOf(text: string): string {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null || !('status' in answer)) return text
    return answer.status === 'Success' ? '' : String('message' in answer ? answer.message : text)
  } catch {
    return text
  }
}
