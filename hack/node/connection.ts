// A client of a cluster by a kubeconfig.
import { tables } from '../../api/index.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  type Client,
  createClient,
  createHttpTransport,
  readKubeconfig,
  type Transport,
} from '../../lib/client/index.ts'
import { defaultControllerSettings, type Manager, startControllers } from '../../lib/controller/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import { createScheduler } from '../../lib/scheduler/index.ts'
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
  return createClient((await transportsTo(kubeconfig))())
}

/** Runs the project's scheduler in this process until it is closed. */
export async function startScheduler(kubeconfig: string): Promise<Manager> {
  const connect = await transportsTo(kubeconfig)
  return await startControllers({ ...services, connect, gate: () => true }, [createScheduler()], {
    settings: defaultControllerSettings,
  })
}

async function transportsTo(kubeconfig: string): Promise<() => Transport> {
  const endpoint = await readKubeconfig(services, kubeconfig, '.')
  const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
  return () => createHttpTransport({ clock: systemClock }, endpoint, { userAgent: 'node', scheme })
}
