/** A port of a Service. */
interface ServicePort {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

export interface ServiceAddress {
  readonly host: string
  readonly port: number
}

/** Resolves the present address of a service. Throws an Error with the reason why there is none. */
export type ResolveService = (service: ServicePort) => ServiceAddress | Promise<ServiceAddress>

/** The name in the certificate of a service's server. */
export function serviceHost({ namespace, name }: Pick<ServicePort, 'namespace' | 'name'>): string {
  return `${name}.${namespace}.svc`
}

export function hostPort({ host, port }: ServiceAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
