import { statusErrors } from '../object/index.ts'
import { type Call, type PublicPages, sendNoSuchPath } from '../request/index.ts'
import { type ConsoleFile, readConsoleFiles } from './files.ts'
import type { ConsoleSettings } from './settings.ts'
import { page } from './source.ts'

const prefix = '/console/'

/**
 * Serves the files at /console/, by GET and HEAD. They are read at the first request and kept, compressed
 * as well.
 */
export function createConsole(settings: ConsoleSettings): PublicPages {
  let files: Promise<ReadonlyMap<string, ConsoleFile>> | undefined
  return {
    serves: (path) => path === '/console' || path.startsWith(prefix),
    async handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      // Relative addresses in the page need the slash.
      if (call.path === '/console') return call.responder.send(301, { location: prefix })
      files ??= readConsoleFiles(settings)
      const name = call.path.slice(prefix.length)
      const file = (await files).get(name === '' ? page : name)
      return file ? send(call, file) : sendNoSuchPath(call)
    },
  }
}

function send(call: Call, file: ConsoleFile): void | Promise<void> {
  if (call.headers['if-none-match'] === file.headers.etag) return call.responder.send(304, file.headers)
  const packed = acceptsGzip(call) && file.gzip
  const body = packed || file.body
  const headers = { ...file.headers, 'content-length': body.length, ...(packed && { 'content-encoding': 'gzip' }) }
  return call.responder.send(200, headers, call.method === 'HEAD' ? undefined : body)
}

function acceptsGzip(call: Call): boolean {
  return /(^|,)\s*gzip\s*(,|;(?!\s*q=0\s*(,|$))|$)/.test(call.headers['accept-encoding'] ?? '')
}
