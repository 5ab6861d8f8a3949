import {
  bool,
  commaList,
  durationMs,
  type Flag,
  type FlagValues,
  float,
  integer,
  keyValues,
  text,
} from '../../lib/flags/index.ts'
import { logs, metrics } from '../apiserver/flags/observing.ts'
import {
  authenticationFlags,
  authorizationFlags,
  globalFlags,
  leaderElectionFlags,
  servingFlags,
} from '../component/flags.ts'

const notHere = (why: string): { ineffective: string } => ({ ineffective: why })
const noCloud = notHere('there are no controllers of clouds')

const generic = {
  'allocate-node-cidrs': bool(false, 'Give nodes blocks of pod addresses.'),
  'allow-untagged-cloud': bool(false, 'Run without a cluster id.', noCloud),
  'cidr-allocator-type': text('RangeAllocator', 'How blocks are allocated to nodes: RangeAllocator.'),
  'cloud-config': text('', 'Configuration of the cloud.', noCloud),
  'cloud-provider': text('', 'external or empty.', noCloud),
  'cluster-cidr': commaList([], 'Blocks of the addresses of pods.'),
  'cluster-name': text('kubernetes', 'Name of the cluster.'),
  'configure-cloud-routes': bool(true, 'Set routes in the cloud.', noCloud),
  'controller-shutdown-timeout': durationMs('10s', 'Maximum time for controllers to stop.'),
  'controller-start-interval': durationMs('0s', 'Pause between starts of controllers.', notHere('all start at once')),
  controllers: commaList(
    ['*'],
    'Controllers to run: * is all that are on by default, foo names one, -foo leaves one out.',
  ),
  'emulated-version': commaList(
    [],
    'Release whose gates to follow, 1.33 to 1.36, as major.minor or kube=major.minor. Empty: 1.36.',
  ),
  'external-cloud-volume-plugin': text('', 'Plugin for volumes of the cloud.', noCloud),
  'feature-gates': keyValues('Gates to switch: Gate=true,Other=false.'),
  'kube-api-burst': integer(0, 'Requests at once after a quiet time, where --kube-api-qps is given. Default 30.', {
    min: 0,
  }),
  'kube-api-content-type': text(
    'application/vnd.kubernetes.protobuf',
    'Format of requests: application/vnd.kubernetes.protobuf or application/json.',
  ),
  'kube-api-qps': float(
    0,
    'Requests a second and controller; 20 in the stock manager. 0: as many as the API server lets it.',
  ),
  ...leaderElectionFlags('kube-controller-manager'),
  'min-resync-period': durationMs('12h', 'Least time between resyncs.', notHere('informers need no resync')),
  'min-compatibility-version': commaList([], 'Oldest release of API servers to get along with.'),
  'node-monitor-period': durationMs('5s', 'How often the health of nodes is checked.'),
  'node-sync-period': durationMs('0s', 'Not used.', notHere('it never did anything')),
  'route-reconciliation-period': durationMs('10s', 'How often routes are set.', noCloud),
  'use-service-account-credentials': bool(false, 'Give each controller a service account of its own.'),
} as const

/** As in lib/controller/settings.ts, which `--help` does not load. */
const turnsAtOnce = 12

/** Number of workers of a controller's queue. */
function workers(initial: number, what: string): Flag<number> {
  const stock = initial === turnsAtOnce ? ' 5 in the stock manager.' : ''
  return integer(initial, `${what} that are worked on at once.${stock}`, { min: 1 })
}

const signer = (of: string): { cert: Flag<string>; key: Flag<string> } => ({
  cert: text('', `Certificate of the authority that signs ${of}.`),
  key: text('', `Key of the authority that signs ${of}.`),
})
const [all, client, kubelet, kubeletServing, legacy] = [
  signer('for all signers'),
  signer('for kubernetes.io/kube-apiserver-client'),
  signer('for kubernetes.io/kube-apiserver-client-kubelet'),
  signer('for kubernetes.io/kubelet-serving'),
  signer('for kubernetes.io/legacy-unknown'),
]

const controllers = {
  'attach-detach-reconcile-sync-period': durationMs('1m', 'How often attachments are compared with what is wanted.'),
  'cluster-signing-cert-file': all.cert,
  'cluster-signing-duration': durationMs('8760h', 'Longest life of certificates that are signed.'),
  'cluster-signing-key-file': all.key,
  'cluster-signing-kube-apiserver-client-cert-file': client.cert,
  'cluster-signing-kube-apiserver-client-key-file': client.key,
  'cluster-signing-kubelet-client-cert-file': kubelet.cert,
  'cluster-signing-kubelet-client-key-file': kubelet.key,
  'cluster-signing-kubelet-serving-cert-file': kubeletServing.cert,
  'cluster-signing-kubelet-serving-key-file': kubeletServing.key,
  'cluster-signing-legacy-unknown-cert-file': legacy.cert,
  'cluster-signing-legacy-unknown-key-file': legacy.key,
  'concurrent-cron-job-syncs': workers(turnsAtOnce, 'Cron jobs'),
  'concurrent-daemonset-syncs': workers(2, 'Daemon sets'),
  'concurrent-deployment-syncs': workers(turnsAtOnce, 'Deployments'),
  'concurrent-device-taint-eviction-syncs': workers(8, 'Pods on tainted devices'),
  'concurrent-endpoint-syncs': workers(5, 'Services, for Endpoints,'),
  'concurrent-ephemeralvolume-syncs': workers(5, 'Pods with ephemeral volumes'),
  'concurrent-gc-syncs': workers(20, 'Objects to collect'),
  'concurrent-horizontal-pod-autoscaler-syncs': workers(5, 'Autoscalers'),
  'concurrent-job-syncs': workers(turnsAtOnce, 'Jobs'),
  'concurrent-namespace-syncs': workers(10, 'Namespaces'),
  'concurrent-replicaset-syncs': workers(turnsAtOnce, 'Replica sets'),
  'concurrent-resource-quota-syncs': workers(5, 'Quotas'),
  'concurrent-resourceclaim-syncs': workers(50, 'Resource claims'),
  'concurrent-service-endpoint-syncs': workers(5, 'Services, for EndpointSlices,'),
  'concurrent-service-syncs': integer(1, 'Services with load balancers at once.', noCloud),
  'concurrent-serviceaccount-token-syncs': workers(5, 'Tokens of service accounts'),
  'concurrent-statefulset-syncs': workers(turnsAtOnce, 'Stateful sets'),
  'concurrent-ttl-after-finished-syncs': workers(turnsAtOnce, 'Finished jobs'),
  'concurrent-validating-admission-policy-status-syncs': workers(5, 'Policies'),
  concurrent_rc_syncs: workers(turnsAtOnce, 'Replication controllers'),
  'disable-attach-detach-reconcile-sync': bool(false, 'Do not compare attachments with what is wanted.'),
  'disable-force-detach-on-timeout': bool(false, 'Never detach by force after a time.'),
  'enable-dynamic-provisioning': bool(true, 'Have volumes made for claims.'),
  'enable-garbage-collector': bool(true, 'Delete objects whose owners are deleted. As in the API server.'),
  'enable-hostpath-provisioner': bool(false, 'Make volumes below /tmp on the host, for tests.'),
  'endpoint-updates-batch-period': durationMs(
    '0s',
    'How long the first change of pods waits for others, for Endpoints.',
  ),
  'endpointslice-updates-batch-period': durationMs(
    '0s',
    'How long the first change of pods waits for others, for EndpointSlices.',
  ),
  'flex-volume-plugin-dir': text('', 'Folder of flex volume plugins.', notHere('there are no flex volumes')),
  'horizontal-pod-autoscaler-cpu-initialization-period': durationMs(
    '5m',
    'Time after a start whose CPU does not count.',
  ),
  'horizontal-pod-autoscaler-downscale-stabilization': durationMs('5m', 'How far autoscalers look back before less.'),
  'horizontal-pod-autoscaler-initial-readiness-delay': durationMs('30s', 'Time after a start of changing readiness.'),
  'horizontal-pod-autoscaler-sync-period': durationMs('15s', 'How often autoscalers read metrics.'),
  'horizontal-pod-autoscaler-tolerance': float(0.1, 'Part by which usage may differ from what is wanted.'),
  'large-cluster-size-threshold': integer(50, 'Nodes above which a zone counts as large.'),
  'legacy-service-account-token-clean-up-period': durationMs('8760h', 'How long unused old tokens stay.'),
  'max-endpoints-per-slice': integer(100, 'Endpoints in one slice at most.', { min: 1, max: 1000 }),
  'mirroring-concurrent-service-endpoint-syncs': workers(5, 'Endpoints to mirror'),
  'mirroring-endpointslice-updates-batch-period': durationMs('0s', 'How long changes are gathered for mirrors.'),
  'mirroring-max-endpoints-per-subset': integer(1000, 'Endpoints that are mirrored of one subset.', { min: 1 }),
  'namespace-sync-period': durationMs('5m', 'How often namespaces are processed again.'),
  'node-cidr-mask-size': integer(0, "Bits of a node's block."),
  'node-cidr-mask-size-ipv4': integer(24, "Bits of a node's IPv4 block."),
  'node-cidr-mask-size-ipv6': integer(64, "Bits of a node's IPv6 block."),
  'node-eviction-rate': float(0.1, 'Nodes a second whose pods are evicted in a healthy zone.'),
  'node-monitor-grace-period': durationMs('50s', 'Silence after which a node counts as unreachable.'),
  'node-startup-grace-period': durationMs('1m', 'The same of a node that starts.'),
  'pv-recycler-increment-timeout-nfs': integer(30, 'Seconds for each GiB of an NFS volume that a pod empties.'),
  'pv-recycler-minimum-timeout-hostpath': integer(60, 'Maximum seconds for a pod to empty a folder of the host.'),
  'pv-recycler-minimum-timeout-nfs': integer(300, 'Maximum seconds for a pod to empty an NFS volume.'),
  'pv-recycler-pod-template-filepath-hostpath': text('', 'Pod that empties folders of the host, for tests.'),
  'pv-recycler-pod-template-filepath-nfs': text('', 'Pod that empties NFS volumes.'),
  'pv-recycler-timeout-increment-hostpath': integer(30, 'Seconds for each GiB of a folder of the host.'),
  'pvclaimbinder-sync-period': durationMs('15s', 'How often claims and volumes are processed again.'),
  'resource-quota-sync-period': durationMs('5m', 'How often the use of quotas is recalculated.'),
  'root-ca-file': text('', 'Authority of the API server, for pods and tokens.'),
  'secondary-node-eviction-rate': float(0.01, 'Nodes a second whose pods are evicted in an unhealthy zone.'),
  'service-account-private-key-file': text('', 'Key that signs tokens in Secrets.'),
  'service-cluster-ip-range': commaList([], 'Blocks of service addresses, which are not allocated to nodes.'),
  'terminated-pod-gc-threshold': integer(12_500, 'Ended pods that are kept; 0: all.'),
  'unhealthy-zone-threshold': float(0.55, 'Part of the nodes not ready from which a zone counts as unhealthy.'),
} as const

const misc = {
  kubeconfig: text('', 'Kubeconfig of the API server; in a pod that of its service account is the default.'),
  master: text('', 'URL of the API server, in the place of that of --kubeconfig.'),
} as const

const debugging = {
  profiling: bool(true, 'Serve profiles below /debug/pprof.', notHere('profiles are those of the API server so far')),
  'contention-profiling': bool(false, 'Profile waiting for locks.', notHere('there are no locks to profile')),
} as const

const migration = {
  'enable-leader-migration': bool(false, 'Hand controllers over between managers.', noCloud),
  'leader-migration-config': text('', 'How controllers are handed over.', noCloud),
} as const

/** The flags of the stock controller manager. */
export const managerFlags = {
  'Generic flags': generic,
  'Debugging flags': debugging,
  'Leader migration flags': migration,
  'Secure serving flags': servingFlags('kube-controller-manager', 10257),
  'Authentication flags': authenticationFlags({ toleratesFailure: false }),
  'Authorization flags': authorizationFlags,
  'Controller flags': controllers,
  'Metrics flags': metrics,
  'Logs flags': logs,
  'Misc flags': misc,
  'Global flags': globalFlags,
} as const

export type ManagerFlags = FlagValues<typeof managerFlags>
