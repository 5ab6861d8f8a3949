import { tables } from '../../api/index.ts'
import type { ControlPlane } from '../../cmd/pilothouse/library.ts'
import {
  type Clock,
  type Metrics,
  silentLogger,
  silentMetrics,
  systemClock,
  systemRandom,
} from '../../lib/base/index.ts'
import { createHttpTransport, createProtobufEncoding, readKubeconfig, type Transport } from '../../lib/client/index.ts'
import {
  type ControllerDefinition,
  type ControllerSettings,
  defaultControllerSettings,
  type Manager,
  startControllers,
} from '../../lib/controller/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

/** Runs controllers over HTTP against a plane, as its administrator, with settings, a clock and metrics of their own. */
export async function runControllers(
  plane: Pick<ControlPlane, 'kubeconfig'>,
  definitions: readonly ControllerDefinition[],
  settings: Partial<ControllerSettings> = {},
  {
    clock = systemClock,
    metrics = silentMetrics,
    gate = () => true,
    wrap = (transport) => transport,
  }: {
    readonly clock?: Clock
    readonly metrics?: Metrics
    gate?(name: string): boolean
    /** Wraps the connection of the controllers to the plane. */
    wrap?(transport: Transport): Transport
  } = {},
): Promise<Manager> {
  const services = { clock, random: systemRandom, log: silentLogger, metrics, environment: {} }
  const endpoint = await readKubeconfig(services, plane.kubeconfig, '.')
  const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
  const protobuf = createProtobufEncoding(scheme)
  const connect = () => wrap(createHttpTransport({ clock: systemClock }, endpoint, { userAgent: 'test', protobuf }))
  return await startControllers({ ...services, connect, gate }, definitions, {
    settings: { ...defaultControllerSettings, ...settings },
  })
}
