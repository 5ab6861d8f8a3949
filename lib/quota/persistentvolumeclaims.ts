import type * as core from '../../api/gen/core/v1.ts'
import { compareQuantities, quantityValue } from '../object/index.ts'
import { emptyAmounts } from './amounts.ts'
import type { Evaluator, EvaluatorOptions } from './evaluator.ts'
import { selectsClass } from './scopes.ts'

const count = 'persistentvolumeclaims'
const storage = 'requests.storage'
const suffix = '.storageclass.storage.k8s.io/'
/** The annotation from before claims had a field for their class. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Claims and their requested storage, in total and by storage class. */
export function persistentVolumeClaims({ volumeAttributesClass }: EvaluatorOptions): Evaluator {
  return {
    resource: { group: '', resource: count },
    // The status holds the allocation of an expansion, and the present and the desired attributes class.
    charges: ({ operation, subresource }) =>
      subresource === '' ? operation === 'CREATE' || operation === 'UPDATE' : subresource === 'status',
    matching: (asked) => asked.filter(isCounted),
    usage(object) {
      const claim = object as core.PersistentVolumeClaim
      const used = emptyAmounts()
      const storageClass = claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName ?? ''
      const size = sizeOf(claim)
      used[`count/${count}`] = '1'
      used[count] = '1'
      if (storageClass !== '') used[`${storageClass}${suffix}${count}`] = '1'
      if (size === undefined) return used
      used[storage] = size
      if (storageClass !== '') used[`${storageClass}${suffix}${storage}`] = size
      return used
    },
    ...(volumeAttributesClass && {
      isIn: (scope, object) =>
        scope.scopeName === 'VolumeAttributesClass' &&
        attributesClassesOf(object as core.PersistentVolumeClaim).some((name) => selectsClass(scope, name)),
    }),
  }
}

function isCounted(name: string): boolean {
  if (name === `count/${count}` || name === count || name === storage) return true
  return name.endsWith(`${suffix}${count}`) || name.endsWith(`${suffix}${storage}`)
}

/** The larger of the requested size and the size that an expansion has allocated, in whole bytes. */
function sizeOf({ spec, status }: core.PersistentVolumeClaim): string | undefined {
  const asked = spec?.resources?.requests?.['storage']
  if (asked === undefined) return undefined
  const allocated = status?.allocatedResources?.['storage']
  const size = allocated !== undefined && compareQuantities(allocated, asked) > 0 ? allocated : asked
  const whole = String(quantityValue(size))
  return compareQuantities(whole, size) === 0 ? size : whole
}

/** While the class of a claim changes, the claim counts in both classes. */
function attributesClassesOf({ spec, status }: core.PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== '')
  return names.length > 0 ? (names as string[]) : ['']
}
