import type { ResponseHeaders } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import { warningHeader } from '../warnings.ts'

/**
 * The answer's headers as alternating names and values: the handler's, then those added by filters unless the handler
 * set the same name, then a Warning for each warning. Names are in lower case.
 */
export function headerList(call: ServerCall, headers: ResponseHeaders): string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (typeof value === 'object') for (const each of value) list.push(name, each)
    else list.push(name, typeof value === 'number' ? String(value) : value)
  }
  const added = call.responseHeaders
  for (let at = 0; at + 1 < added.length; at += 2) {
    const name = added[at]
    const value = added[at + 1]
    if (name !== undefined && value !== undefined && headers[name] === undefined) list.push(name, value)
  }
  if (call.hasWarnings) for (const text of call.warnings.list()) list.push('warning', warningHeader(text))
  return list
}
