import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { statusErrors } from '../object/index.ts'
import { type Call, type PublicPages, sendNoSuchPath } from '../request/index.ts'
import { type ConsoleFile, readConsoleFiles } from './files.ts'

const prefix = '/console/'

/** The page's file; the other ones are loaded by it. */
const page = 'index.html'

/**
 * The folder with the built page: beside the programs' own folder, where hack/bundle.ts writes it. Undefined in a
 * program that runs from sources.
 */
export function findConsoleFolder(from: string = import.meta.dirname): string | undefined {
  const candidates = [join(from, '../page'), join(from, '../../page')]
  return candidates.find((folder) => hasPage(folder))
}

function hasPage(folder: string): boolean {
  try {
    return readdirSync(folder).includes(page)
  } catch {
    return false
  }
}

/**
 * Serves the files of `folder` at /console/, by GET and HEAD. They are read at the first request and kept, compressed
 * as well.
 */
export function createConsole(folder: string): PublicPages {
  let files: Promise<ReadonlyMap<string, ConsoleFile>> | undefined
  return {
    serves: (path) => path === '/console' || path.startsWith(prefix),
    async handle(call) {
      if (call.method !== 'GET' && call.method !== 'HEAD') throw statusErrors.methodNotAllowed()
      // Relative addresses in the page need the slash.
      if (call.path === '/console') return call.responder.send(301, { location: prefix })
      files ??= readConsoleFiles(folder)
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
