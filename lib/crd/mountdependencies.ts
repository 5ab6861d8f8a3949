import type { Clock, Metrics, Random } from '../base/index.ts'
import type { ResolveService } from '../client/index.ts'
import { createStructCodecs } from '../codec/index.ts'
import type { Egress } from '../egress/index.ts'
import type { Resources } from '../endpoints/index.ts'
import type { Registry } from '../registry/index.ts'
import type { Scheme } from '../scheme/index.ts'
import { ConversionMemory } from './conversion/memory.ts'
import { createConversionMetrics } from './conversion/metrics.ts'
import type { MountDependencies } from './mount.ts'
import { createRuleMeter } from './schema/rulemeter.ts'
import { createRuleEnvironment } from './schema/rules.ts'

/** The services of a server that custom resources need. */
export interface MountServices {
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly scheme: Scheme
  readonly registry: Registry
  /** Resolves the addresses of conversion webhooks. */
  readonly resolve: ResolveService
  readonly egress: Egress
  readonly resources: Resources
  gate(name: string): boolean
}

/** The parts that all mounted definitions of a server share. */
export function mountDependencies(services: MountServices): MountDependencies {
  const { clock, random, metrics, scheme, registry, resolve, egress, resources, gate } = services
  // As in the stock server, independent of the storage format of built-in kinds.
  const storesCbor = gate('CBORServingAndStorage')
  const metadata = createStructCodecs()(scheme.types.struct('meta/v1.ObjectMeta'))
  const conversion = {
    clock,
    random,
    resolve,
    egress,
    metrics: createConversionMetrics(metrics),
    memory: new ConversionMemory(clock, random),
  }
  const meter = createRuleMeter(services)
  const environment = createRuleEnvironment()
  return { registry, resources, environment, meter, metadata, storesCbor, conversion }
}
