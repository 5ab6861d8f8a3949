import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'

const healthOf = (object: ApiObject): core.ComponentCondition | undefined =>
  (object['conditions'] as core.ComponentCondition[] | undefined)?.find(({ type }) => type === 'Healthy')

function word(object: ApiObject): string {
  const health = healthOf(object)
  if (!health) return 'Unknown'
  return health.status === 'True' ? 'Healthy' : 'Unhealthy'
}

/** Not stored: each read checks the components. */
export const componentStatus: KindDefinition = {
  group: '',
  kind: 'ComponentStatus',
  nameRule: nameRules.pathSegment,
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the component is healthy.', word),
    textColumn('Message', 'What its health check answered.', (object) => healthOf(object)?.message ?? ''),
    textColumn('Error', 'Why it could not be asked.', (object) => healthOf(object)?.error ?? ''),
  ],
}
