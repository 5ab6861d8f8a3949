import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  nextGeneration,
  semanticEqual,
} from '../../../object/index.ts'
import { checkSupported } from '../../check.ts'
import type { Column, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec')
const updatePeriodSecondsMin = 10
const nameCharactersMax = 63
const specOf = (object: ApiObject): storage.CSIDriverSpec => object['spec'] as storage.CSIDriverSpec

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  for (const name of ['attachRequired', 'podInfoOnMount', 'storageCapacity'] as const)
    if (spec[name] === undefined) errors.push(fieldErrors.required(path.child(name)))
  if (spec.fsGroupPolicy === undefined) errors.push(fieldErrors.required(path.child('fsGroupPolicy')))
  else
    checkSupported(errors, spec.fsGroupPolicy, path.child('fsGroupPolicy'), ['File', 'None', 'ReadWriteOnceWithFSType'])
  checkTokenRequests(errors, spec.tokenRequests, path.child('tokenRequests'))
  const inSecrets = spec.serviceAccountTokenInSecrets
  if (inSecrets !== undefined && !spec.tokenRequests?.length) {
    const why = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
    errors.push(fieldErrors.invalid(path.child('serviceAccountTokenInSecrets'), inSecrets, why))
  }
  for (const mode of spec.volumeLifecycleModes ?? [])
    checkSupported(errors, mode, path.child('volumeLifecycleModes'), ['Persistent', 'Ephemeral'])
  const period = spec.nodeAllocatableUpdatePeriodSeconds
  if (period !== undefined && period < updatePeriodSecondsMin) {
    const why = `must be greater than or equal to ${updatePeriodSecondsMin} seconds`
    errors.push(fieldErrors.invalid(path.child('nodeAllocatableUpdatePeriodSeconds'), period, why))
  }
  return errors
}

/** The object's name is the driver's, which is shorter than other names may be; the name rule checks the rest. */
function validateCreate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const length = object.metadata.name?.length ?? 0
  if (length > nameCharactersMax && length <= 253)
    errors.push(fieldErrors.tooLong(FieldPath.root('metadata').child('name'), nameCharactersMax))
  return [...errors, ...validate(object)]
}

function checkTokenRequests(
  errors: FieldError[],
  requests: readonly storage.TokenRequest[] | undefined,
  at: FieldPath,
): void {
  const audiences = new Set<string>()
  requests?.forEach(({ audience, expirationSeconds }, index) => {
    const here = at.index(index)
    if (audiences.has(audience)) errors.push(fieldErrors.duplicate(here.child('audience'), audience))
    audiences.add(audience)
    if (expirationSeconds === undefined) return
    const seconds = here.child('expirationSeconds')
    if (expirationSeconds < 600)
      errors.push(fieldErrors.invalid(seconds, expirationSeconds, 'may not specify a duration less than 10 minutes'))
    if (expirationSeconds > 2 ** 32)
      errors.push(
        fieldErrors.invalid(seconds, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'),
      )
  })
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const before = specOf(old)
  if (spec.attachRequired !== before.attachRequired)
    errors.push(fieldErrors.immutable(path.child('attachedRequired'), spec.attachRequired))
  if (!deepEqual(spec.volumeLifecycleModes, before.volumeLifecycleModes))
    errors.push(fieldErrors.immutable(path.child('volumeLifecycleModes'), spec.volumeLifecycleModes))
  return errors
}

function flagColumn(name: string, description: string, field: keyof storage.CSIDriverSpec, unset: boolean): Column {
  return {
    name,
    type: 'boolean',
    description,
    priority: 0,
    cell: (object) => (specOf(object)[field] ?? unset) === true,
  }
}

export const csiDriver: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object, { gate }) {
      const spec = specOf(object)
      spec.attachRequired ??= true
      spec.podInfoOnMount ??= false
      spec.storageCapacity ??= false
      spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
      if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent']
      spec.requiresRepublish ??= false
      if (gate('SELinuxMountReadWriteOncePod')) spec.seLinuxMount ??= false
    },
  },
  strategy: {
    ...specStrategy({
      hasStatus: false,
      validate,
      validateUpdate,
      // The generation is counted from the first change on: a new object has none.
      prepareForUpdate(object, old) {
        if (!semanticEqual(specOf(object), specOf(old))) object.metadata.generation = nextGeneration(old.metadata)
      },
    }),
    validateCreate,
  },
  columns: [
    nameColumn,
    flagColumn('AttachRequired', 'Whether volumes must be attached before use.', 'attachRequired', true),
    flagColumn('PodInfoOnMount', 'Whether the driver is told of the pod.', 'podInfoOnMount', false),
    flagColumn('StorageCapacity', 'Whether scheduling looks at the capacity that is left.', 'storageCapacity', false),
    textColumn('TokenRequests', 'Audiences of tokens that the driver is given.', (object) => {
      const requests = specOf(object).tokenRequests
      return requests ? requests.map(({ audience }) => audience).join(',') : '<unset>'
    }),
    flagColumn(
      'RequiresRepublish',
      'Whether volumes are published again from time to time.',
      'requiresRepublish',
      false,
    ),
    textColumn(
      'Modes',
      'Sorts of volumes that the driver has.',
      (object) => specOf(object).volumeLifecycleModes?.join(',') || '<none>',
    ),
    ageColumn,
  ],
}
