import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { secretColumns } from './columns.ts'
import { defaultSecret } from './defaults.ts'
import { validateSecret, validateSecretUpdate } from './validate.ts'
import { secretWarnings } from './warnings.ts'

export const secret: KindDefinition = {
  group: '',
  kind: 'Secret',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaultSecret },
  strategy: {
    validateCreate: validateSecret,
    validateUpdate: validateSecretUpdate,
    warningsOnCreate: secretWarnings,
    warningsOnUpdate: secretWarnings,
  },
  columns: secretColumns,
  selectableReads: ['type'],
  selectableFields: { type: (object) => String(object.type ?? '') },
}
