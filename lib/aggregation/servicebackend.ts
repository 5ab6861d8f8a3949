import type { Clock } from '../base/index.ts'
import { type Credentials, type ResolveService, serviceHost } from '../client/index.ts'
import type { Dialer } from '../egress/index.ts'
import { type Backend, createBackend } from '../proxy/index.ts'
import { type ApiService, specOf } from './apiservice.ts'

const portDefault = 443

/** The server of an APIService, connected to as its spec requires. */
export function serviceBackend(
  apiService: ApiService,
  {
    clock,
    resolve,
    credentials,
    dialer,
  }: { clock: Clock; resolve: ResolveService; credentials: () => Credentials; dialer?: Dialer | undefined },
): Backend {
  const { service, caBundle = '', insecureSkipTLSVerify = false } = specOf(apiService)
  const { namespace = '', name = '', port = portDefault } = service ?? {}
  return createBackend({
    clock,
    serverName: serviceHost({ namespace, name }),
    insecure: insecureSkipTLSVerify,
    ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
    credentials,
    dialer,
    address: async () => await resolve({ namespace, name, port }),
  })
}
