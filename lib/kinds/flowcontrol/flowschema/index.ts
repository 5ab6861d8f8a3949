import type * as flowcontrol from '../../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { validateConditions } from '../conditions.ts'
import { specOf, validateSchema } from './validate.ts'

export const flowSchema: KindDefinition = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      specOf(object).matchingPrecedence ||= 1000
    },
  },
  strategy: specStrategy({ generation: true, validate: validateSchema }),
  subresources: { status: statusStrategy(validateConditions, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn(
      'PriorityLevel',
      'Level that the requests share.',
      (object) => specOf(object).priorityLevelConfiguration.name,
    ),
    textColumn(
      'MatchingPrecedence',
      'Schemas of lower numbers are tried first.',
      (object) => specOf(object).matchingPrecedence,
    ),
    textColumn(
      'DistinguisherMethod',
      'What tells one flow from another.',
      (object) => specOf(object).distinguisherMethod?.type ?? '<none>',
    ),
    ageColumn,
    textColumn('MissingPL', 'Whether the level does not exist.', (object) => {
      const { conditions } = (object['status'] ?? {}) as flowcontrol.FlowSchemaStatus
      return conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?'
    }),
  ],
}
