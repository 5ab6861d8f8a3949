import { decodePath } from '../../request/index.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import { sendText } from '../failure.ts'
import type { ServerOptions } from '../options.ts'

const auditIdCharactersMax = 64

/** Gives the request an audit id (the client's, where it sent one) and refuses malformed or overlong URLs. */
export function receive(
  { random }: Pick<ServerDependencies, 'random'>,
  options: Pick<ServerOptions, 'urlBytesMax'>,
): ServerFilter {
  return (call, next) => {
    const sent = call.headerValue('audit-id')
    call.auditId = sent === '' ? random.uuid() : sent.slice(0, auditIdCharactersMax).trimEnd()
    call.responseHeaders.push('audit-id', call.auditId)
    if (call.url.length > options.urlBytesMax) return sendText(call, 414, '414 URI Too Long\n')
    const path = pathOf(call.url)
    if (path === undefined) return sendText(call, 400, '400 Bad Request: malformed request target\n')
    call.path = decodePath(path)
    return next(call)
  }
}

/** The undecoded path of a request target; undefined for a malformed one. */
export function pathOf(target: string): string | undefined {
  let start = 0
  if (target.charCodeAt(0) !== 0x2f) {
    // The absolute form, `https://host/path`, which servers must accept (RFC 9112, 3.2.2).
    const scheme = target.indexOf('://')
    if (scheme < 0) return undefined
    start = target.indexOf('/', scheme + 3)
    if (start < 0) return '/'
  }
  const mark = target.indexOf('?', start)
  return mark < 0 ? target.slice(start) : target.slice(start, mark)
}
