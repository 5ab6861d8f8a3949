import type { Readable } from 'node:stream'
import type { Clock } from '../../base/index.ts'
import { StatusError } from '../../object/index.ts'
import type { Call } from '../../request/index.ts'
import { acceptWebSocket, offeredProtocols } from './accept.ts'

/** Messages are bytes, or text in base64. */
const base64Protocol = 'base64.binary.k8s.io'
const protocols = ['binary.k8s.io', base64Protocol]
const brokenCode = 1011

/**
 * Answers a WebSocket with the bytes of `body`: an empty message first, then one for each part. Messages of the client
 * are ignored. Throws 403 when it offers other subprotocols only.
 */
export async function sendMessages(call: Call, body: Readable, clock: Clock): Promise<void> {
  const { upgrade } = call
  const offered = offeredProtocols(call)
  const protocol = offered.length === 0 ? '' : offered.find((each) => protocols.includes(each))
  if (!upgrade || protocol === undefined) {
    body.on('error', () => {}).destroy()
    const known = protocols.join(' ')
    const text = `requested protocol(s) are not supported: [${offered.join(' ')}]; supports [${known}]`
    throw new StatusError(403, 'Forbidden', text)
  }
  const webSocket = await acceptWebSocket(call, upgrade, protocol, clock)
  const isText = protocol === base64Protocol
  webSocket.send(Buffer.alloc(0), !isText)
  await new Promise<void>((done) => {
    const leave = (code?: number): void => {
      webSocket.close(code)
      done()
    }
    webSocket.onDrain = () => void body.resume()
    webSocket.onClose = () => {
      body.destroy()
      done()
    }
    webSocket.listen(() => {})
    body.on('data', (chunk: Buffer) => {
      if (!webSocket.send(isText ? Buffer.from(chunk.toString('base64')) : chunk, !isText)) body.pause()
    })
    body.on('end', () => leave())
    body.on('error', () => leave(brokenCode))
  })
}
