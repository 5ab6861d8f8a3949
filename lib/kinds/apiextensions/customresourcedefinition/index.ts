import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type ApiObject, nextGeneration, semanticEqual } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { defaultColumns } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { keepField } from '../../meta/strategy.ts'
import { fromV1beta1, toV1beta1 } from './convert.ts'
import { defaultV1, defaultV1beta1 } from './defaults.ts'
import { marksBeforeDelete, prepareForDelete } from './deletion.ts'
import { specOf, validateDefinition, validateDefinitionUpdate, validateStatusUpdate } from './validate.ts'

const noNames = { plural: '', kind: '' }

/** A controller accepts the names and serves the resource, so a new definition has no status. */
function prepareForCreate(object: ApiObject): void {
  object.metadata.generation = 1
  const stored = specOf(object).versions?.find(({ storage }) => storage)
  object['status'] = { acceptedNames: noNames, ...(stored ? { storedVersions: [stored.name] } : {}) }
}

function prepareForUpdate(object: ApiObject, old: ApiObject): void {
  keepField(object, old, 'status')
  if (!semanticEqual(specOf(object), specOf(old))) object.metadata.generation = nextGeneration(old.metadata)
  // From now on there may be stored objects of this version, too.
  const stored = specOf(object).versions?.find(({ storage }) => storage)
  const status = object['status'] as v1.CustomResourceDefinitionStatus
  const versions = status.storedVersions ?? []
  if (stored && !versions.includes(stored.name))
    object['status'] = { ...status, storedVersions: [...versions, stored.name] }
}

export const customResourceDefinition: KindDefinition = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  nameRule: nameRules.subdomain,
  defaults: { v1: defaultV1, v1beta1: defaultV1beta1 },
  strategy: {
    prepareForCreate,
    prepareForUpdate,
    validateCreate: validateDefinition,
    validateUpdate: validateDefinitionUpdate,
    prepareForDelete,
    marksBeforeDelete,
  },
  subresources: {
    status: {
      prepareForUpdate: (object, old) => keepField(object, old, 'spec'),
      validateUpdate: validateStatusUpdate,
    },
  },
  convert: { v1beta1: { fromHub: toV1beta1, toHub: fromV1beta1 } },
  columns: defaultColumns,
}
