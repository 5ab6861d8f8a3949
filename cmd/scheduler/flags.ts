import { bool, commaList, durationMs, type FlagValues, float, integer, keyValues, text } from '../../lib/flags/index.ts'
import { logs, metrics } from '../apiserver/flags/observing.ts'
import {
  authenticationFlags,
  authorizationFlags,
  globalFlags,
  leaderElectionFlags,
  servingFlags,
} from '../component/flags.ts'

/** The name of the stock program. */
export const schedulerName = 'kube-scheduler'

const notHere = (why: string): { ineffective: string } => ({ ineffective: why })
const inFile = 'Not with --config, whose file has it, too.'

const misc = {
  config: text('', 'File with a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1.'),
  master: text('', 'URL of the API server, in the place of that of the kubeconfig.'),
  seed: integer(0, 'Chooses between equally good nodes as in every run with this seed. 0: at random.', { min: 0 }),
  'write-config-to': text('', 'File to write the effective configuration to; the program ends then.'),
} as const

/** Flags that the stock scheduler calls deprecated: a file with its configuration is meant to replace them. */
const connection = {
  'contention-profiling': bool(true, 'Profile waiting for locks.', notHere('there are no locks to profile')),
  'kube-api-burst': integer(100, `Requests at once after a quiet time, where --kube-api-qps is given. ${inFile}`, {
    min: 0,
  }),
  'kube-api-content-type': text(
    'application/vnd.kubernetes.protobuf',
    `Format of requests: application/vnd.kubernetes.protobuf or application/json. ${inFile}`,
  ),
  'kube-api-qps': float(0, `Requests a second. 0: as many as the API server lets it. ${inFile}`),
  kubeconfig: text('', `Kubeconfig of the API server; in a pod that of its service account is the default. ${inFile}`),
  'pod-max-in-unschedulable-pods-duration': durationMs(
    '5m',
    'How long a pod waits for changes of the cluster before it is tried again without any.',
  ),
  profiling: bool(true, 'Serve profiles below /debug/pprof.', notHere('profiles are those of the API server so far')),
} as const

const features = {
  'emulated-version': commaList(
    [],
    'Release whose gates to follow, 1.33 to 1.36, as major.minor or kube=major.minor. Empty: 1.36.',
  ),
  'feature-gates': keyValues('Gates to switch: Gate=true,Other=false.'),
  'min-compatibility-version': commaList([], 'Oldest release of API servers to get along with.'),
} as const

/** The flags of the stock scheduler. */
export const schedulerFlags = {
  'Misc flags': misc,
  'Secure serving flags': servingFlags(schedulerName, 10259),
  'Authentication flags': authenticationFlags({ toleratesFailure: true }),
  'Authorization flags': authorizationFlags,
  'Connection flags': connection,
  'Leader election flags': leaderElectionFlags(schedulerName),
  'Feature gate flags': features,
  'Metrics flags': metrics,
  'Logs flags': logs,
  'Global flags': globalFlags,
} as const

export type SchedulerFlags = FlagValues<typeof schedulerFlags>
