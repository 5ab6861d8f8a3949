// A client of a cluster by a kubeconfig.
import { tables } from '../../api/index.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createHttpTransport,
  createProtobufEncoding,
  readKubeconfig,
} from '../../lib/client/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

const services = {
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  metrics: silentMetrics,
  environment: process.env,
}

/** Its user is the kubeconfig's; `kubeconfig` is the text of one. */
export async function connectTo(kubeconfig: string): Promise<Client> {
  const endpoint = await readKubeconfig(services, kubeconfig, '.')
  const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
  const protobuf = createProtobufEncoding(scheme)
  return createClient(createHttpTransport({ clock: systemClock }, endpoint, { userAgent: 'node', protobuf }))
}
