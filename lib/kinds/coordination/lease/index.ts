import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { type LeaseSpec, validateLease } from './validate.ts'

export const lease: KindDefinition = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  nameRule: nameRules.subdomain,
  strategy: { validateCreate: validateLease, validateUpdate: validateLease },
  columns: [
    nameColumn,
    textColumn(
      'Holder',
      'Who holds the lease.',
      (object) => (object.spec as LeaseSpec | undefined)?.holderIdentity ?? '',
    ),
    ageColumn,
  ],
}
