import { statusErrors } from '../object/index.ts'

/** The name in a proxy's path: `name`, `name:port` or `scheme:name:port`. */
export interface ProxyId {
  readonly scheme: 'http' | 'https'
  readonly name: string
  /** A number or the name of a port; '' where the path names none. */
  readonly port: string
}

/** Throws 400 for other texts. `what`: pod, service, node. */
export function parseProxyId(id: string, what: string): ProxyId {
  const parts = id.split(':')
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts]
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw statusErrors.badRequest(`invalid ${what} request ${JSON.stringify(id)}`)
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port }
}

/** Throws 400 for an invalid port. */
export function portNumber(port: string, id: string, what: string): number {
  const value = Number(port)
  if (/^\d{1,5}$/.test(port) && value > 0 && value < 65_536) return value
  throw statusErrors.badRequest(`invalid ${what} request ${JSON.stringify(id)}`)
}
