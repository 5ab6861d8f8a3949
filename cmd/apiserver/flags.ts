import {
  bool,
  commaList,
  durationMs,
  type FlagValues,
  float,
  integer,
  integerList,
  ipAddress,
  keyValues,
  labelledLists,
  namedCertKeys,
  portRange,
  quantity,
  repeated,
  text,
  verbosityPatterns,
  versionRequest,
} from '../../lib/flags/index.ts'

/** Why flags that every Kubernetes operator knows change nothing here; each goes when its part is built. */
const without = {
  aggregation: 'aggregated API servers are not served yet',
  egress: 'outgoing connections are made directly',
  emulation: 'only the release that is built in is served',
  fairness: 'requests are limited by --max-requests-inflight and --max-mutating-requests-inflight',
  fixed: 'this server keeps that in its own way',
  kubelet: 'connections to nodes are not made yet',
  tokens: 'keys are read from files',
  tracing: 'traces are not exported yet',
} as const

const generic = {
  'advertise-address': ipAddress(
    '',
    "IP address under which the members of the cluster reach this server. Empty: --bind-address, or this host's when that is a wildcard.",
  ),
  'cors-allowed-origins': commaList(
    [],
    'Regular expressions; browsers get CORS headers for origins that one of them matches.',
  ),
  'emulated-version': commaList([], 'Release to behave like, as component=major.minor.', {
    ineffective: without.emulation,
  }),
  'emulation-forward-compatible': bool(false, 'While emulating, serve newer versions of enabled APIs as well.', {
    ineffective: without.emulation,
  }),
  'external-hostname': text('', 'Host name for URLs that the server hands out.'),
  'feature-gates': keyValues('Features to switch on or off: Gate=true,Other=false.'),
  'goaway-chance': float(
    0,
    'Share of HTTP/2 requests (0 to 0.02) after which the client is asked to reconnect, to even out replicas.',
  ),
  'livez-grace-period': durationMs('0s', "How long after the start unfinished hooks don't count against /livez."),
  'max-mutating-requests-inflight': integer(200, 'Writes handled at once; more are turned away with 429. 0: no limit.'),
  'max-requests-inflight': integer(
    400,
    'Reads handled at once, watches aside; more are turned away with 429. 0: no limit.',
  ),
  'min-compatibility-version': commaList([], 'Oldest release of other replicas to get along with.', {
    ineffective: without.emulation,
  }),
  'min-request-timeout': integer(
    1800,
    'Seconds after which a watch ends at the earliest; the actual time is random up to twice that.',
    { min: 0 },
  ),
  'request-timeout': durationMs('1m0s', 'Time a request may take, unless it is a watch or the like.'),
  'runtime-config-emulation-forward-compatible': bool(
    false,
    'Serve what --runtime-config names even if it came after the emulated release.',
    { ineffective: without.emulation },
  ),
  'shutdown-delay-duration': durationMs(
    '0s',
    'How long to go on serving after the signal to stop, while /readyz fails.',
  ),
  'shutdown-send-retry-after': bool(false, 'While stopping, answer new requests with 429 and Retry-After.'),
  'shutdown-watch-termination-grace-period': durationMs(
    '0s',
    'Time over which watches are closed when the server stops.',
  ),
  'storage-initialization-timeout': durationMs('1m0s', 'How long to wait for the store at the start.'),
  'strict-transport-security-directives': commaList(
    [],
    'Directives for the Strict-Transport-Security header; empty leaves it out.',
  ),
} as const

const storage = {
  'data-dir': text('', 'Folder of the embedded store.'),
  'default-watch-cache-size': integer(100, 'Former size of watch caches.', {
    deprecated: 'caches size themselves',
    hidden: true,
  }),
  'delete-collection-workers': integer(1, 'Objects deleted at once when a collection is deleted.', { min: 1 }),
  'enable-garbage-collector': bool(
    true,
    'Let deletions ask a garbage collector to orphan dependents or to delete them first. As in the controller manager.',
  ),
  'encryption-provider-config': text('', 'File that says what is encrypted in the store, and how.'),
  'encryption-provider-config-automatic-reload': bool(false, 'Read that file again when it changes.', {
    ineffective: 'there is no --encryption-provider-config',
  }),
  'etcd-cafile': text('', 'Certificate authorities of the etcd servers.'),
  'etcd-certfile': text('', 'Client certificate for etcd.'),
  'etcd-compaction-interval': durationMs('5m0s', 'How often old revisions are dropped from the store; 0s: never.'),
  'etcd-count-metric-poll-period': durationMs('1m0s', 'How often stored objects are counted for metrics.', {
    ineffective: 'objects are counted at scrape',
  }),
  'etcd-db-metric-poll-interval': durationMs('30s', 'How often the size of the store is read for metrics; 0s: never.'),
  'etcd-healthcheck-timeout': durationMs('2s', 'Time the store has to answer for /livez.'),
  'etcd-keyfile': text('', 'Key of the client certificate for etcd.'),
  'etcd-prefix': text('/registry', 'Prefix of all keys in the store.'),
  'etcd-readycheck-timeout': durationMs('2s', 'Time the store has to answer for /readyz.'),
  'etcd-servers': commaList([], 'etcd servers, as scheme://host:port.'),
  'etcd-servers-overrides': commaList(
    [],
    'Other etcd servers for some resources: group/resource#url;url. The core group is empty, and * stands for all resources of a group.',
  ),
  'lease-reuse-duration-seconds': integer(60, 'How long a lease is used for further objects with a lifetime.', {
    min: 1,
  }),
  'storage-backend': text(
    '',
    'Store: etcd3, embedded (in --data-dir) or memory (gone when the server stops). Empty: etcd3 with --etcd-servers, else embedded.',
  ),
  'storage-media-type': text(
    'application/vnd.kubernetes.protobuf',
    'Format of stored objects: application/vnd.kubernetes.protobuf, application/json, application/yaml or, with the gate CBORServingAndStorage, application/cbor.',
  ),
  'watch-cache': bool(true, 'Serve reads and watches from memory.', { ineffective: without.fixed }),
  'watch-cache-sizes': commaList([], 'Cache sizes: resource[.group]#size.', { ineffective: 'caches size themselves' }),
} as const

const serving = {
  'bind-address': ipAddress('0.0.0.0', 'Address to listen on; 0.0.0.0 or :: for all.'),
  'cert-dir': text(
    '/var/run/kubernetes',
    'Folder for a serving certificate that is made when no --tls-cert-file is given.',
  ),
  'disable-http2-serving': bool(false, 'Speak HTTP/1.1 only.'),
  'http2-max-streams-per-connection': integer(0, 'Requests at once on one HTTP/2 connection; 0: 1000.', { min: 0 }),
  'permit-address-sharing': bool(false, 'Listen with SO_REUSEADDR.', { ineffective: 'that is always so' }),
  'permit-port-sharing': bool(false, 'Listen with SO_REUSEPORT: several servers share the port.'),
  'secure-port': integer(6443, 'Port for HTTPS.', { min: 0, max: 65535 }),
  'tls-cert-file': text('', 'Serving certificate, PEM, followed by those that signed it.'),
  'tls-cipher-suites': commaList([], 'Cipher suites for TLS 1.2, by their IANA names; empty: a good choice.'),
  'tls-curve-preferences': integerList([], 'Curves for the key exchange, by their TLS numbers.'),
  'tls-min-version': text('', 'Oldest TLS to speak: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.'),
  'tls-private-key-file': text('', 'Key of --tls-cert-file.'),
  'tls-sni-cert-key': namedCertKeys('Further certificate and key files for some host names: cert,key[:name,...].'),
} as const

const auditing = {
  'audit-log-batch-buffer-size': integer(10000, 'Events that may wait for a batch of the log.'),
  'audit-log-batch-max-size': integer(1, 'Events in a batch of the log.'),
  'audit-log-batch-max-wait': durationMs('0s', 'Time until a batch of the log is written though not full.'),
  'audit-log-batch-throttle-burst': integer(0, 'Batches of the log at once.'),
  'audit-log-batch-throttle-enable': bool(false, 'Limit the batches of the log.'),
  'audit-log-batch-throttle-qps': float(0, 'Batches of the log in a second.'),
  'audit-log-compress': bool(false, 'Compress finished log files.'),
  'audit-log-format': text('json', 'json or legacy (a line of text).'),
  'audit-log-maxage': integer(366, 'Days to keep finished log files.'),
  'audit-log-maxbackup': integer(100, 'Finished log files to keep.'),
  'audit-log-maxsize': integer(100, 'Megabytes after which a log file is finished.'),
  'audit-log-mode': text('blocking', 'batch, blocking or blocking-strict.'),
  'audit-log-path': text('', 'File for audit events; - for the standard output.'),
  'audit-log-truncate-enabled': bool(false, 'Shorten events that are too large for the log.'),
  'audit-log-truncate-max-batch-size': integer(10485760, 'Bytes in a batch of the log.'),
  'audit-log-truncate-max-event-size': integer(102400, 'Bytes of an event in the log.'),
  'audit-log-version': text('audit.k8s.io/v1', 'Version of events in the log.'),
  'audit-policy-file': text('', 'File with the audit policy.'),
  'audit-webhook-batch-buffer-size': integer(10000, 'Events that may wait for a batch of the webhook.'),
  'audit-webhook-batch-initial-backoff': durationMs('10s', 'Former name of --audit-webhook-initial-backoff.', {
    deprecated: 'use --audit-webhook-initial-backoff',
    hidden: true,
  }),
  'audit-webhook-batch-max-size': integer(400, 'Events in a batch of the webhook.'),
  'audit-webhook-batch-max-wait': durationMs('30s', 'Time until a batch of the webhook is sent though not full.'),
  'audit-webhook-batch-throttle-burst': integer(15, 'Batches of the webhook at once.'),
  'audit-webhook-batch-throttle-enable': bool(true, 'Limit the batches of the webhook.'),
  'audit-webhook-batch-throttle-qps': float(10, 'Batches of the webhook in a second.'),
  'audit-webhook-config-file': text('', 'Kubeconfig of the server that takes audit events.'),
  'audit-webhook-initial-backoff': durationMs('10s', 'Time until the first retry of the webhook.'),
  'audit-webhook-mode': text('batch', 'batch, blocking or blocking-strict.'),
  'audit-webhook-truncate-enabled': bool(false, 'Shorten events that are too large for the webhook.'),
  'audit-webhook-truncate-max-batch-size': integer(10485760, 'Bytes in a batch of the webhook.'),
  'audit-webhook-truncate-max-event-size': integer(102400, 'Bytes of an event for the webhook.'),
  'audit-webhook-version': text('audit.k8s.io/v1', 'Version of events for the webhook.'),
} as const

const features = {
  'contention-profiling': bool(false, 'Profile waiting for locks.', { ineffective: 'there are no locks to profile' }),
  'debug-socket-path': text('', 'Unix socket for profiles without authorization.', { ineffective: without.fixed }),
  'enable-priority-and-fairness': bool(true, 'Share the server fairly between users and priorities.', {
    ineffective: without.fairness,
  }),
  profiling: bool(true, 'Serve profiles below /debug/pprof.'),
} as const

const authentication = {
  'anonymous-auth': bool(true, 'Take requests without credentials as system:anonymous.'),
  'api-audiences': commaList([], 'Audiences that tokens may be for.'),
  'authentication-config': text('', 'File with issuers of tokens and the rules for anonymous requests.'),
  'authentication-token-webhook-cache-ttl': durationMs('2m0s', 'How long answers of the token webhook are believed.'),
  'authentication-token-webhook-config-file': text('', 'Kubeconfig of the server that reviews tokens.'),
  'authentication-token-webhook-version': text('v1beta1', 'Version of the reviews sent to it.'),
  'client-ca-file': text(
    '',
    'Certificate authorities of clients: the common name is the user, organizations are the groups.',
  ),
  'enable-bootstrap-token-auth': bool(
    false,
    'Accept tokens of secrets of type bootstrap.kubernetes.io/token in kube-system.',
  ),
  'oidc-ca-file': text('', 'Certificate authorities of the OpenID issuer.'),
  'oidc-client-id': text('', 'Client that OpenID tokens must be for.'),
  'oidc-groups-claim': text('', 'Claim that holds the groups.'),
  'oidc-groups-prefix': text('', 'Put before groups.'),
  'oidc-issuer-url': text('', 'URL of the OpenID issuer, https.'),
  'oidc-required-claim': keyValues('Claims that a token must have: claim=value.'),
  'oidc-signing-algs': commaList(['RS256'], 'Signatures to accept.'),
  'oidc-username-claim': text('sub', 'Claim that holds the user name.'),
  'oidc-username-prefix': text('', 'Put before user names; - for nothing.'),
  'requestheader-allowed-names': commaList([], 'Common names of front proxies; empty: any.'),
  'requestheader-client-ca-file': text('', 'Certificate authorities of front proxies.'),
  'requestheader-extra-headers-prefix': commaList([], 'Prefixes of headers with further attributes of the user.'),
  'requestheader-group-headers': commaList([], 'Headers with the groups.'),
  'requestheader-uid-headers': commaList([], 'Headers with the uid.'),
  'requestheader-username-headers': commaList([], 'Headers with the user name.'),
  'service-account-extend-token-expiration': bool(
    true,
    'Let tokens in pods live for a year for the sake of old clients.',
  ),
  'service-account-issuer': repeated([], 'Issuer of service account tokens; the first signs, the others are accepted.'),
  'service-account-jwks-uri': text('', 'URI of the keys in the OpenID discovery document.'),
  'service-account-key-file': repeated([], 'Keys that verify service account tokens, PEM.'),
  'service-account-lookup': bool(true, 'Refuse tokens whose service account or pod is gone.'),
  'service-account-max-token-expiration': durationMs('0s', 'Longest lifetime of a token that may be asked for.'),
  'token-auth-file': text('', 'File of static tokens: token,user,uid,"group,group" a line.'),
} as const

const authorization = {
  'authorization-config': text('', 'File with the authorizers and their order.'),
  'authorization-mode': commaList(
    [],
    'Authorizers in the order in which they are asked: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node. Empty: AlwaysAllow.',
  ),
  'authorization-policy-file': text('', 'Policies for ABAC, a JSON object a line.'),
  'authorization-webhook-cache-authorized-ttl': durationMs('5m0s', 'How long a yes of the webhook holds.'),
  'authorization-webhook-cache-unauthorized-ttl': durationMs('30s', 'How long a no of the webhook holds.'),
  'authorization-webhook-config-file': text('', 'Kubeconfig of the server that reviews access.'),
  'authorization-webhook-version': text('v1beta1', 'Version of the reviews sent to it: v1 or v1beta1.'),
} as const

const enablement = {
  'storage-versions': commaList(
    [],
    'Versions to store objects in, one a group, such as resource.k8s.io/v1beta1: for older servers on the same store. ' +
      'Kinds without it keep their own.',
  ),
  'runtime-config': keyValues(
    'What to serve: group/version[/resource]=true or false, api/all, api/ga, api/beta, api/alpha.',
  ),
} as const

const egress = {
  'egress-selector-config-file': text('', 'File that says by which way connections go out.', {
    ineffective: without.egress,
  }),
} as const

const admission = {
  'admission-control': commaList([], 'All admission plugins that are to run, in whatever order.', {
    deprecated: 'use --enable-admission-plugins and --disable-admission-plugins',
  }),
  'admission-control-config-file': text('', 'File (AdmissionConfiguration) that configures admission plugins.'),
  'default-not-ready-toleration-seconds': integer(300, 'Seconds pods tolerate a node that is not ready.'),
  'default-unreachable-toleration-seconds': integer(300, "Seconds pods tolerate a node that can't be reached."),
  'disable-admission-plugins': commaList([], 'Admission plugins to switch off.'),
  'enable-admission-plugins': commaList([], 'Admission plugins to switch on.'),
} as const

const metrics = {
  'allow-metric-labels': labelledLists(
    'Values of a label that are told apart: metric,label=value,value. Others count as unexpected.',
  ),
  'allow-metric-labels-manifest': text('', 'YAML file with the same.'),
  'disabled-metrics': commaList([], 'Metrics to switch off.'),
  'show-hidden-metrics-for-version': text(
    '',
    'Release before this one whose hidden metrics are shown, as major.minor.',
  ),
} as const

const logs = {
  'log-flush-frequency': durationMs('5s', 'Longest time that log lines wait to be written.'),
  'log-text-info-buffer-size': quantity('0', 'Buffer of informational lines.', { ineffective: without.fixed }),
  'log-text-split-stream': bool(false, 'Write informational lines to the standard output.', {
    ineffective: without.fixed,
  }),
  'logging-format': text('text', 'text or json.'),
  v: integer(0, 'How much to log: 0 for what operators need, up to 10.', { short: 'v', min: 0, max: 2 ** 31 - 1 }),
  vmodule: verbosityPatterns('Other levels for some source files.', { ineffective: 'set --v for all' }),
} as const

const traces = {
  'tracing-config-file': text('', 'File with the endpoint and rate of traces.', { ineffective: without.tracing }),
} as const

const misc = {
  'aggregator-reject-forwarding-redirect': bool(true, 'Refuse redirects of aggregated servers.', {
    ineffective: without.aggregation,
  }),
  'allow-privileged': bool(false, 'Let containers be privileged.'),
  'apiserver-count': integer(1, 'Number of replicas.', { deprecated: 'replicas find each other', hidden: true }),
  'coordinated-leadership-lease-duration': durationMs('15s', 'Life of leases of the coordinated leader election.', {
    ineffective: without.fixed,
  }),
  'coordinated-leadership-renew-deadline': durationMs('10s', 'Time to renew them.', { ineffective: without.fixed }),
  'coordinated-leadership-retry-period': durationMs('2s', 'Time between tries.', { ineffective: without.fixed }),
  'enable-aggregator-routing': bool(false, 'Send requests for aggregated servers to endpoints, past cluster IPs.', {
    ineffective: without.aggregation,
  }),
  'enable-logs-handler': bool(false, 'Serve /logs.', {
    deprecated: 'read log files where they are',
    ineffective: 'files of the host are not served',
  }),
  'endpoint-reconciler-type': text(
    'lease',
    'How the endpoints of the service kubernetes are kept: lease, master-count or none.',
  ),
  'event-ttl': durationMs('1h0m0s', 'How long events are kept.'),
  'kubelet-certificate-authority': text('', 'Certificate authorities of nodes.', { ineffective: without.kubelet }),
  'kubelet-client-certificate': text('', 'Client certificate for nodes.', { ineffective: without.kubelet }),
  'kubelet-client-key': text('', 'Key of the client certificate for nodes.', { ineffective: without.kubelet }),
  'kubelet-port': integer(10250, 'Port of nodes.', {
    deprecated: 'nodes publish their port',
    hidden: true,
    min: 0,
    max: 65535,
  }),
  'kubelet-preferred-address-types': commaList(
    ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    'Order in which addresses of nodes are tried.',
    { ineffective: without.kubelet },
  ),
  'kubelet-read-only-port': integer(10255, 'Read-only port of nodes.', {
    deprecated: 'it is not used',
    hidden: true,
    min: 0,
    max: 65535,
  }),
  'kubelet-timeout': durationMs('5s', 'Time nodes have to answer.', { ineffective: without.kubelet }),
  'kubernetes-service-node-port': integer(0, 'Node port of the service kubernetes; 0: none.', {
    min: 0,
    max: 65535,
  }),
  'max-connection-bytes-per-sec': integer(
    0,
    "Bytes a second that a user's exec, attach and the like may carry; 0: no limit.",
    { min: 0, ineffective: without.kubelet },
  ),
  'peer-advertise-ip': text('', 'Address for other replicas.', { ineffective: without.fixed }),
  'peer-advertise-port': text('', 'Port for other replicas.', { ineffective: without.fixed }),
  'peer-ca-file': text('', 'Certificate authorities of other replicas.', { ineffective: without.fixed }),
  'proxy-client-cert-file': text('', 'Client certificate for aggregated servers and webhooks.', {
    ineffective: without.aggregation,
  }),
  'proxy-client-key-file': text('', 'Key of that certificate.', { ineffective: without.aggregation }),
  'service-account-signing-endpoint': text('', 'Unix socket of a program that signs service account tokens.', {
    ineffective: without.tokens,
  }),
  'service-account-signing-key-file': text('', 'Key that signs service account tokens.'),
  'service-cluster-ip-range': text(
    '',
    'Range of cluster IPs, or two of them (IPv4 and IPv6). The first address is the service kubernetes.',
  ),
  'service-node-port-range': portRange({ first: 30000, last: 32767 }, 'Ports for services of type NodePort.'),
} as const

const globals = {
  help: bool(false, 'Print this.', { short: 'h' }),
  version: versionRequest('Print the version; raw for all of it.'),
} as const

/** Every flag of the stock API server, and those of ours: --storage-backend's further values and --data-dir. */
export const apiserverFlags = {
  'Generic flags': generic,
  'Storage flags': storage,
  'Secure serving flags': serving,
  'Auditing flags': auditing,
  'Features flags': features,
  'Authentication flags': authentication,
  'Authorization flags': authorization,
  'API enablement flags': enablement,
  'Egress selector flags': egress,
  'Admission flags': admission,
  'Metrics flags': metrics,
  'Logs flags': logs,
  'Traces flags': traces,
  'Misc flags': misc,
  'Global flags': globals,
} as const

export type ApiserverFlags = FlagValues<typeof apiserverFlags>
