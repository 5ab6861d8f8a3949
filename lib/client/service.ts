/** A port of a Service. */
interface ServicePort {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** Resolves the present address of a service. Throws an Error with the reason why there is none. */
export type ResolveService = (service: ServicePort) => Address | Promise<Address>

/** The name in the certificate of a service's server. */
export function serviceHost({ namespace, name }: Pick<ServicePort, 'namespace' | 'name'>): string {
  return `${name}.${namespace}.svc`
}

export function hostPort({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
