import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ConsoleSource } from './source.ts'

/** A file of the page, ready to be sent. */
export interface ConsoleFile {
  readonly body: Uint8Array
  /** Undefined where it would not be smaller. */
  readonly gzip: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Scripts and styles come from this server only, nothing is inline, no other page may frame this one, and a form is
 * never sent anywhere. Objects of users are shown as text; this is the second line of defence.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** All files by name; those of unknown types are left out. */
export async function readConsoleFiles(source: ConsoleSource): Promise<ReadonlyMap<string, ConsoleFile>> {
  const files = new Map<string, ConsoleFile>()
  for (const name of source.names) {
    const type = types[extname(name)]
    if (type !== undefined) files.set(name, await readyFile(await source.read(name), type))
  }
  return files
}

const compress = promisify(gzip)

async function readyFile(body: Uint8Array, type: string): Promise<ConsoleFile> {
  const packed = await compress(body, { level: 9 })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return {
    body,
    gzip: packed.length < body.length ? packed : undefined,
    headers: { ...securityHeaders, 'content-type': type, etag, vary: 'accept-encoding' },
  }
}
