import { posix } from 'node:path'
import { type ServiceAddress, serviceHost } from './service.ts'

const portDefault = 443

interface HookTarget {
  readonly url?: string | undefined
  readonly service?:
    | { readonly namespace?: string; readonly name?: string; readonly path?: string; readonly port?: number }
    | undefined
}

/** The server in a webhook's client configuration. */
interface HookPlace {
  /** Without a query, and with the path that client-go would request. */
  readonly url: string
  /** Absent when the configuration has a URL. */
  readonly service?: ServiceAddress & { readonly namespace: string; readonly name: string }
}

/**
 * The URL of a webhook. As in client-go, escapes of the path are undone and it is cleaned: `//a/` is `/a`, `/a%2Fb` is
 * `/a/b`, and no path is `/`. Throws an Error for a URL that isn't one.
 */
export function hookPlace({ url = '', service }: HookTarget): HookPlace {
  if (!service) {
    const { protocol, host } = new URL(url)
    const [, path = ''] = /^[^:]*:\/\/[^/?#]*([^?#]*)/.exec(url) ?? []
    return { url: `${protocol}//${host}${cleanPath(unescaped(path))}` }
  }
  const { namespace = '', name = '', path = '', port = portDefault } = service
  const host = serviceHost({ namespace, name })
  return { url: `https://${host}:${port}${cleanPath(bytesOf(path))}`, service: { namespace, name, host, port } }
}

function cleanPath(path: string): string {
  return escaped(posix.join('/', path).replace(/(?<=.)\/$/, ''))
}

/** One character a byte, as paths are unescaped by byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function unescaped(path: string): string {
  return bytesOf(path).replaceAll(/%([\da-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function escaped(path: string): string {
  return path.replaceAll(
    /[^\w\-.~$&+,/:;=@]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
