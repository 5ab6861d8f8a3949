import type * as flowcontrol from '../../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Column, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { validateConditions } from '../conditions.ts'
import { levelFromV1beta2 } from './convert.ts'
import { specOf, validateLevel } from './validate.ts'

function defaults(object: ApiObject): void {
  const { exempt, limited } = specOf(object)
  if (exempt) {
    exempt.nominalConcurrencyShares ??= 0
    exempt.lendablePercent ??= 0
  }
  if (!limited) return
  limited.nominalConcurrencyShares ??= 30
  limited.lendablePercent ??= 0
  const { queuing } = limited.limitResponse
  if (!queuing) return
  queuing.queues ||= 64
  queuing.handSize ||= 8
  queuing.queueLengthLimit ||= 50
}

function queuingColumn(name: string, description: string, field: keyof flowcontrol.QueuingConfiguration): Column {
  return textColumn(name, description, (object) => specOf(object).limited?.limitResponse.queuing?.[field] ?? '<none>')
}

export const priorityLevelConfiguration: KindDefinition = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaults },
  convert: {
    v1beta2: { toHub: levelFromV1beta2 },
    v1beta1: { toHub: levelFromV1beta2 },
    v1alpha1: { toHub: levelFromV1beta2 },
  },
  strategy: specStrategy({ generation: true, validate: validateLevel }),
  subresources: { status: statusStrategy(validateConditions, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('Type', 'Whether requests of the level are limited.', (object) => specOf(object).type),
    textColumn(
      'NominalConcurrencyShares',
      "The level's part of what the server handles at once.",
      (object) => specOf(object).limited?.nominalConcurrencyShares ?? '<none>',
    ),
    queuingColumn('Queues', 'Number of queues.', 'queues'),
    queuingColumn('HandSize', 'Queues that one flow may use.', 'handSize'),
    queuingColumn('QueueLengthLimit', 'Most requests that wait in a queue.', 'queueLengthLimit'),
    ageColumn,
  ],
}
