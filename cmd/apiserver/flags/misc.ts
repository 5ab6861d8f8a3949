import { bool, commaList, durationMs, integer, portRange, text } from '../../../lib/flags/index.ts'
import { without } from './without.ts'

export const misc = {
  'aggregator-reject-forwarding-redirect': bool(true, 'Refuse redirects of aggregated servers.'),
  'allow-privileged': bool(false, 'Let containers be privileged.'),
  'apiserver-count': integer(1, 'Number of replicas.', { deprecated: 'replicas find each other', hidden: true }),
  'coordinated-leadership-lease-duration': durationMs('15s', 'Life of leases of the coordinated leader election.', {
    ineffective: without.leadership,
  }),
  'coordinated-leadership-renew-deadline': durationMs('10s', 'Time to renew them.', {
    ineffective: without.leadership,
  }),
  'coordinated-leadership-retry-period': durationMs('2s', 'Time between tries.', { ineffective: without.leadership }),
  'enable-aggregator-routing': bool(
    false,
    'Send requests for aggregated servers and webhooks to endpoints, past cluster IPs.',
  ),
  'enable-logs-handler': bool(false, 'Serve /logs.', {
    deprecated: 'read log files where they are',
    ineffective: 'files of the host are not served',
  }),
  'endpoint-reconciler-type': text(
    'lease',
    'How the endpoints of the service kubernetes are kept: lease, master-count or none.',
  ),
  'event-ttl': durationMs('1h0m0s', 'How long events are kept.'),
  'kubelet-certificate-authority': text(
    '',
    'Certificate authorities of kubelets; without them, certificates of kubelets are not verified.',
  ),
  'kubelet-client-certificate': text('', 'Client certificate for kubelets.'),
  'kubelet-client-key': text('', 'Key of the client certificate for kubelets.'),
  'kubelet-port': integer(10250, 'Port of kubelets that publish none.', {
    deprecated: 'nodes publish their port',
    hidden: true,
    min: 0,
    max: 65535,
  }),
  'kubelet-preferred-address-types': commaList(
    ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    'Order in which addresses of nodes are tried.',
  ),
  'kubelet-read-only-port': integer(10255, 'Read-only port of nodes.', {
    deprecated: 'it is not used',
    hidden: true,
    min: 0,
    max: 65535,
  }),
  'kubelet-timeout': durationMs('5s', 'Time for connecting to a kubelet.'),
  'kubernetes-service-node-port': integer(0, 'Node port of the service kubernetes; 0: none.', {
    min: 0,
    max: 65535,
  }),
  'max-connection-bytes-per-sec': integer(
    0,
    'Bytes a second, in each direction, that a connection for exec, attach and the like may carry; 0: no limit.',
    { min: 0 },
  ),
  'peer-advertise-ip': text('', 'Address for other replicas; default: --advertise-address.'),
  'peer-advertise-port': text('', 'Port for other replicas; default: --secure-port.'),
  'peer-ca-file': text('', 'Certificate authorities of other replicas.'),
  'proxy-client-cert-file': text('', 'Client certificate for aggregated servers.'),
  'proxy-client-key-file': text('', 'Key of that certificate.'),
  'service-account-signing-endpoint': text(
    '',
    'Unix socket (a path, or @ and an abstract name) of a program that signs service account tokens and has the keys.',
  ),
  'service-account-signing-key-file': text('', 'Key that signs service account tokens.'),
  'service-cluster-ip-range': text(
    '',
    'Range of cluster IPs, or two of them (IPv4 and IPv6). The first address is the service kubernetes.',
  ),
  'service-node-port-range': portRange({ first: 30000, last: 32767 }, 'Ports for services of type NodePort.'),
} as const
