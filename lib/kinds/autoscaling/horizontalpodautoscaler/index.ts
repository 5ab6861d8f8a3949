import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { columns } from './columns.ts'
import { fromV1, toV1 } from './convert.ts'
import { defaultV1, defaultV2 } from './defaults.ts'
import { validate, validateStatusUpdate, validateUpdate } from './validate.ts'

export const horizontalPodAutoscaler: KindDefinition = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaultV1, v2: defaultV2 },
  // Some errors are tolerated when the old object has them, so updates and creations differ.
  strategy: { ...specStrategy({ validate }), validateUpdate },
  subresources: { status: statusStrategy(validateStatusUpdate) },
  convert: { v1: { fromHub: toV1, toHub: fromV1 } },
  columns,
}
