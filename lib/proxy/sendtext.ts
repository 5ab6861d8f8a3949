import type { Call } from '../request/index.ts'

const textType = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

/** Answers with plain text, as the stock proxies do for unreachable servers. */
export function sendText(call: Call, status: number, text: string): void | Promise<void> {
  return call.responder.send(status, textType, Buffer.from(`${text}\n`))
}
