import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  equalityKey,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkSupported, checkUnique } from '../../check.ts'
import { nodeLabelText } from '../../core/podspec/nodelabels.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkParameters } from '../parameters.ts'

const of = (object: ApiObject): storage.StorageClass => object as storage.StorageClass
const root = FieldPath.root
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } = of(object)
  const at = root('provisioner')
  if (checkPresent(errors, provisioner, at))
    for (const finding of validateQualifiedName(provisioner.toLowerCase()))
      errors.push(fieldErrors.invalid(at, provisioner.toLowerCase(), finding))
  checkParameters(errors, parameters, true, root('parameters'))
  if (reclaimPolicy) checkSupported(errors, reclaimPolicy, root('reclaimPolicy'), ['Delete', 'Retain'])
  checkSupported(errors, volumeBindingMode, root('volumeBindingMode'), ['Immediate', 'WaitForFirstConsumer'])
  checkTopologies(errors, allowedTopologies, root('allowedTopologies'))
  return errors
}

function checkTopologies(
  errors: FieldError[],
  terms: storage.StorageClass['allowedTopologies'],
  path: FieldPath,
): void {
  const seen = new Set<string>()
  terms?.forEach((term, index) => {
    const expressions = path.index(index).child('matchLabelExpressions')
    const valuesByKey: Record<string, string[]> = {}
    term.matchLabelExpressions?.forEach((expression, at) => {
      const here = expressions.index(at)
      const values = here.child('values')
      if (!expression.values?.length) errors.push(fieldErrors.required(values))
      const seenValues = new Set<string>()
      expression.values?.forEach((value, valueIndex) =>
        checkUnique(errors, seenValues, value, values.index(valueIndex)),
      )
      checkFormat(errors, expression.key, here.child('key'), validateQualifiedName)
      if (Object.hasOwn(valuesByKey, expression.key))
        errors.push(fieldErrors.duplicate(here.child('key'), expression.key))
      else valuesByKey[expression.key] = (expression.values ?? []).toSorted()
    })
    // A term without requirements is redundant.
    const whole = equalityKey(valuesByKey)
    if (Object.keys(valuesByKey).length === 0 || seen.has(whole)) errors.push(fieldErrors.duplicate(expressions, ''))
    seen.add(whole)
  })
}

const fixed = ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  for (const name of fixed)
    if (!deepEqual(of(object)[name], of(old)[name])) errors.push(fieldErrors.immutable(name, of(object)[name]))
  return errors
}

function nameWithDefault(object: ApiObject): string {
  const isDefault = defaultAnnotations.some((key) => object.metadata.annotations?.[key] === 'true')
  return `${object.metadata.name ?? ''}${isDefault ? ' (default)' : ''}`
}

function warnings(object: ApiObject): string[] {
  const found: string[] = []
  of(object).allowedTopologies?.forEach(({ matchLabelExpressions }, term) =>
    matchLabelExpressions?.forEach(({ key }, index) => {
      const text = nodeLabelText(key)
      if (text !== undefined) found.push(`allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${text}`)
    }),
  )
  return found
}

export const storageClass: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      of(object).reclaimPolicy ??= 'Delete'
      of(object).volumeBindingMode ??= 'Immediate'
    },
  },
  strategy: specStrategy({ hasStatus: false, validate, validateUpdate, warnings }),
  columns: [
    { ...nameColumn, cell: nameWithDefault },
    textColumn('Provisioner', 'Who makes volumes of the class.', (object) => of(object).provisioner),
    textColumn(
      'ReclaimPolicy',
      'What becomes of a volume that is released.',
      (object) => of(object).reclaimPolicy ?? 'Delete',
    ),
    textColumn('VolumeBindingMode', 'When claims are bound.', (object) => of(object).volumeBindingMode ?? 'Immediate'),
    textColumn(
      'AllowVolumeExpansion',
      'Whether claims may grow.',
      (object) => of(object).allowVolumeExpansion === true,
    ),
    ageColumn,
  ],
}
