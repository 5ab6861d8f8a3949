import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { configMapColumns } from './columns.ts'
import { validateConfigMap, validateConfigMapUpdate } from './validate.ts'

export const configMap: KindDefinition = {
  group: '',
  kind: 'ConfigMap',
  nameRule: nameRules.subdomain,
  strategy: { validateCreate: validateConfigMap, validateUpdate: validateConfigMapUpdate },
  columns: configMapColumns,
}
