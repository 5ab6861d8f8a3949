import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'

export const workload: KindDefinition = {
  group: 'scheduling.k8s.io',
  kind: 'Workload',
  nameRule: nameRules.subdomain,
  isDeclared: true,
  columns: [nameColumn, ageColumn],
}
