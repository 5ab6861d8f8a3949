import type { ApiObject } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'

export const serviceAccount: KindDefinition = {
  group: '',
  kind: 'ServiceAccount',
  nameRule: nameRules.subdomain,
  strategy: { prepareForCreate: keepSecretNames, prepareForUpdate: keepSecretNames },
  columns: [nameColumn, ageColumn],
}

/** Keeps only the names in references to secrets, which are in the same namespace. */
function keepSecretNames(object: ApiObject): void {
  const secrets = object.secrets as { name?: string }[] | undefined
  if (secrets !== undefined) object.secrets = secrets.map(({ name }) => (name === undefined ? {} : { name }))
}
