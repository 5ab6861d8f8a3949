import type { Call } from './call.ts'

const plainHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
const body = Buffer.from('404 page not found\n')

/** Answers for a path that nobody claims. Below one that somebody does, what is missing gets a Status. */
export function sendNoSuchPath(call: Call): void | Promise<void> {
  return call.responder.send(404, plainHeaders, body)
}
