import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ConsoleSettings } from './settings.ts'

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
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/**
 * Scripts and styles come from this server only, nothing is inline, no other page may frame this one, and a form is
 * never sent anywhere. Objects of users are shown as text; this is the second line of defence. The page connects to this
 * server, and to the origin of the issuer that it signs users in at. One script of this server may run as a thread, whose
 * address the page makes by the policy `tryout` alone (console/api/tryout.ts).
 */
function contentSecurityPolicy(issuer: ConsoleSettings['issuer']): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${issuer ? ` ${new URL(issuer.url).origin}` : ''}`,
    "img-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types tryout',
  ].join('; ')
}

const securityHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Name of the file from which the page reads how users can sign in. */
const signInFile = 'signin.json'

/** All files by name; those of unknown types are left out. */
export async function readConsoleFiles({ source, issuer }: ConsoleSettings): Promise<ReadonlyMap<string, ConsoleFile>> {
  const policy = contentSecurityPolicy(issuer)
  const files = new Map<string, ConsoleFile>()
  const add = async (name: string, body: Uint8Array): Promise<void> => {
    const type = types[extname(name)]
    if (type !== undefined) files.set(name, await readyFile(body, type, policy))
  }
  for (const name of source.names) await add(name, await source.read(name))
  await add(signInFile, Buffer.from(JSON.stringify({ issuer })))
  return files
}

const compress = promisify(gzip)

async function readyFile(body: Uint8Array, type: string, policy: string): Promise<ConsoleFile> {
  const packed = await compress(body, { level: 9 })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return {
    body,
    gzip: packed.length < body.length ? packed : undefined,
    headers: {
      'content-security-policy': policy,
      ...securityHeaders,
      'content-type': type,
      etag,
      vary: 'accept-encoding',
    },
  }
}
