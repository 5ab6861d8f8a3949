import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { roundResources } from '../podspec/defaults.ts'
import { validateQuota, validateQuotaStatusUpdate, validateQuotaUpdate } from './validate.ts'

const statusOf = (object: ApiObject): core.ResourceQuotaStatus => (object['status'] ?? {}) as core.ResourceQuotaStatus

/** Formats the wanted resources: `cpu: 1/4, pods: 2/10`. */
function usage(object: ApiObject, isWanted: (name: string) => boolean): string {
  const { hard = {}, used = {} } = statusOf(object)
  const names = Object.keys(hard).filter(isWanted).sort()
  return names.map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`).join(', ')
}

const isLimit = (name: string): boolean => name.startsWith('limits.')

export const resourceQuota: KindDefinition = {
  group: '',
  kind: 'ResourceQuota',
  nameRule: nameRules.subdomain,
  defaults: {
    v1: (object) => roundResources((object['spec'] as core.ResourceQuotaSpec | undefined)?.hard),
  },
  strategy: specStrategy({
    validate: (object, context) => validateQuota(object, context),
    validateUpdate: validateQuotaUpdate,
  }),
  subresources: { status: statusStrategy(validateQuotaStatusUpdate) },
  columns: [
    nameColumn,
    textColumn('Request', 'What is used, of what may be asked for.', (object) =>
      usage(object, (name) => !isLimit(name)),
    ),
    textColumn('Limit', 'What is used, of what limits may add up to.', (object) => usage(object, isLimit)),
    ageColumn,
  ],
}
