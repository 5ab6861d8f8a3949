import { StoreError } from '../contract.ts'

/** How a member of etcd is reached. */
interface Address {
  readonly secure: boolean
  readonly target: { readonly host: string; readonly port: number } | { readonly path: string }
  /** The name that its certificate must have. */
  readonly name: string
  /** The member's name in requests. */
  readonly authority: string
}

/**
 * The normal form of an endpoint: `https://host:port`, or `unix:///run/etcd.sock` (`unixs` with TLS), whose path may be
 * relative. An endpoint without a scheme gets http or https. Throws StoreError.
 */
export function normalEndpoint(endpoint: string, secure: boolean): string {
  const [, scheme, path] = /^(unixs?):(?:\/\/)?(\/?[^/].*)$/.exec(endpoint) ?? []
  if (path !== undefined) return `${scheme}://${path}`
  const url = URL.parse(endpoint.includes('://') ? endpoint : `${secure ? 'https' : 'http'}://${endpoint}`)
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  const expected = 'http://host:port, https://host:port, unix://path or unixs://path is expected'
  throw new StoreError('internal', `etcd: ${endpoint} is no endpoint: ${expected}`)
}

/** Beginning of endpoints that are Linux abstract sockets, which have a name instead of a path. */
export const abstractPrefix = 'unix-abstract:'

/**
 * The address of a normal endpoint. The last part of a socket's path is the server's name, as in etcd's own clients.
 */
export function addressOf(endpoint: string): Address {
  if (endpoint.startsWith(abstractPrefix)) {
    const name = endpoint.slice(abstractPrefix.length)
    return { secure: false, target: { path: `\0${name}` }, name, authority: 'localhost' }
  }
  const [, tls, path] = /^unix(s?):\/\/(.+)$/.exec(endpoint) ?? []
  if (path !== undefined) {
    const authority = path.slice(path.lastIndexOf('/') + 1)
    return { secure: tls === 's', target: { path }, name: authority.replace(/:\w*$/, ''), authority }
  }
  const { hostname, host: authority, port, protocol } = new URL(endpoint)
  const secure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { secure, target: { host, port: Number(port || (secure ? 443 : 80)) }, name: host, authority }
}
