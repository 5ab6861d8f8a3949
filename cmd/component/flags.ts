import {
  bool,
  commaList,
  durationMs,
  type FlagValues,
  integer,
  integerList,
  namedCertKeys,
  text,
  versionRequest,
} from '../../lib/flags/index.ts'
import { serving as apiServing } from '../apiserver/flags/connections.ts'
import type { logs, metrics } from '../apiserver/flags/observing.ts'

// The flags that every program beside the API server has: its lease, its port, and who may read its pages.

const notHere = (why: string): { ineffective: string } => ({ ineffective: why })
const noProxies = notHere('front proxies are not believed on this port')
const oneCertificate = notHere('this port shows one certificate and leaves the rest to TLS')

export const globalFlags = {
  help: bool(false, 'Print this.', { short: 'h' }),
  version: versionRequest('Print the version; raw for all of it.'),
} as const

/** `name` is that of the stock program: `kube-scheduler`. */
export const leaderElectionFlags = (name: string) =>
  ({
    'leader-elect': bool(true, 'Work only while holding the lease.'),
    'leader-elect-lease-duration': durationMs('15s', 'How long others wait for a leader that is silent.'),
    'leader-elect-renew-deadline': durationMs('10s', 'A leader that can not renew its lease for so long ends.'),
    'leader-elect-resource-lock': text('leases', 'Kind of the lock: leases.'),
    'leader-elect-resource-name': text(name, 'Name of the lease.'),
    'leader-elect-resource-namespace': text('kube-system', 'Namespace of the lease.'),
    'leader-elect-retry-period': durationMs('2s', 'Pause between attempts to acquire or renew the lease.'),
  }) as const

export const servingFlags = (name: string, port: number) =>
  ({
    'bind-address': apiServing['bind-address'],
    'cert-dir': text(
      '',
      `Folder with ${name}.crt and .key when there is no --tls-cert-file; made there when there is none. Empty: ` +
        'in memory.',
    ),
    'disable-http2-serving': bool(false, 'Speak HTTP/1.1 only.', notHere('this port speaks HTTP/1.1 only')),
    'http2-max-streams-per-connection': integer(0, 'Requests at once.', notHere('this port speaks HTTP/1.1 only')),
    'permit-address-sharing': bool(false, 'Listen with SO_REUSEADDR.', notHere('that is always so')),
    'permit-port-sharing': bool(false, 'Listen with SO_REUSEPORT.', notHere('the port is not shared')),
    // kubeadm wrote it into manifests up to release 1.22.
    port: integer(0, 'Port without TLS: 0, as there is none.', {
      min: 0,
      max: 0,
      hidden: true,
      deprecated: 'there is no port without TLS',
    }),
    'secure-port': integer(port, 'Port for HTTPS; 0: any free port.', { min: 0, max: 65535 }),
    'tls-cert-file': apiServing['tls-cert-file'],
    'tls-cipher-suites': apiServing['tls-cipher-suites'],
    'tls-curve-preferences': integerList([], 'Curves for the key exchange.', oneCertificate),
    'tls-min-version': apiServing['tls-min-version'],
    'tls-private-key-file': apiServing['tls-private-key-file'],
    'tls-sni-cert-key': namedCertKeys('Further certificates.', oneCertificate),
  }) as const

/** `toleratesFailure`: the program's default for a ConfigMap that can't be read. */
export const authenticationFlags = ({ toleratesFailure }: { readonly toleratesFailure: boolean }) =>
  ({
    'authentication-kubeconfig': text('', 'Kubeconfig of the API server that reviews tokens.'),
    'authentication-skip-lookup': bool(false, 'Do not read the ConfigMap extension-apiserver-authentication.'),
    'authentication-token-webhook-cache-ttl': durationMs('10s', 'How long reviews of tokens are cached.'),
    'authentication-tolerate-lookup-failure': bool(
      toleratesFailure,
      'Go on without a warning where that ConfigMap can not be read.',
    ),
    'client-ca-file': text('', 'Authorities of client certificates.'),
    'requestheader-allowed-names': commaList([], 'Common names of front proxies.', noProxies),
    'requestheader-client-ca-file': text('', 'Authorities of front proxies.', noProxies),
    'requestheader-extra-headers-prefix': commaList(['x-remote-extra-'], 'Prefixes of headers.', noProxies),
    'requestheader-group-headers': commaList(['x-remote-group'], 'Headers with the groups.', noProxies),
    'requestheader-uid-headers': commaList([], 'Headers with the uid.', noProxies),
    'requestheader-username-headers': commaList(['x-remote-user'], 'Headers with the name.', noProxies),
  }) as const

export const authorizationFlags = {
  'authorization-always-allow-paths': commaList(
    ['/healthz', '/readyz', '/livez'],
    'Paths that everyone may see; a path may end in *.',
  ),
  'authorization-kubeconfig': text('', 'Kubeconfig of the API server that authorizes requests.'),
  'authorization-webhook-cache-authorized-ttl': durationMs('10s', 'How long permissions are cached.'),
  'authorization-webhook-cache-unauthorized-ttl': durationMs('10s', 'How long refusals are cached.'),
} as const

/** The values of these flags, and of those about logs and metrics. */
export type ComponentFlags = FlagValues<{
  readonly election: ReturnType<typeof leaderElectionFlags>
  readonly serving: ReturnType<typeof servingFlags>
  readonly authentication: ReturnType<typeof authenticationFlags>
  readonly authorization: typeof authorizationFlags
  readonly metrics: typeof metrics
  readonly logs: typeof logs
}>
