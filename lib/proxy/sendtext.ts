import type { Call } from '../request/index.ts'

const textType = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Plain text, as the stock proxies answer for servers that they can't reach. */
export function sendText(call: Call, status: number, text: string): void | Promise<void> {
  return call.responder.send(status, textType, Buffer.from(`${text}\n`))
}
