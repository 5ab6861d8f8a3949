import { bool, type FlagValues, versionRequest } from '../../lib/flags/index.ts'
import { admission, authentication, authorization } from './flags/access.ts'
import { auditing } from './flags/auditing.ts'
import { egress, serving } from './flags/connections.ts'
import { generic } from './flags/generic.ts'
import { misc } from './flags/misc.ts'
import { features, logs, metrics, traces } from './flags/observing.ts'
import { enablement, storage } from './flags/storage.ts'

const globals = {
  help: bool(false, 'Print this.', { short: 'h' }),
  version: versionRequest('Print the version; raw for all of it.'),
} as const

/** Every flag of the stock API server, and our own: --storage-backend's further values and --data-dir. */
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
