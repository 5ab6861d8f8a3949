import type { Call } from './call.ts'

const plainHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
const body = Buffer.from('404 page not found\n')

/** The plain 404 for a path outside every served group. Below a served group the answer is a Status instead. */
export function sendNoSuchPath(call: Call): void | Promise<void> {
  return call.responder.send(404, plainHeaders, body)
}
