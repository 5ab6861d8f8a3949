import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatTime,
} from '../../../object/index.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { classOf, formatAccessModes, phaseOf } from '../persistentvolumeclaim/index.ts'
import { defaultVolumeSource, roundResources } from '../podspec/defaults.ts'
import { persistentSourcesOf } from './sources.ts'
import { checkVolumeSpec } from './spec.ts'
import { volumeWarnings } from './warnings.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): core.PersistentVolumeSpec => object['spec'] as core.PersistentVolumeSpec
const statusOf = (object: ApiObject): core.PersistentVolumeStatus =>
  (object['status'] ?? {}) as core.PersistentVolumeStatus

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkVolumeSpec(errors, specOf(object), object.metadata.name ?? '', path)
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject, { gate }: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const before = specOf(old)
  if (!deepEqual(persistentSourcesOf(spec), persistentSourcesOf(before)))
    errors.push(
      fieldErrors.forbidden(
        path.child('persistentvolumesource'),
        'spec.persistentvolumesource is immutable after creation',
      ),
    )
  if (spec.volumeMode !== before.volumeMode) errors.push(fieldErrors.immutable('volumeMode', spec.volumeMode))
  const isFixed = before.nodeAffinity !== undefined && !gate('MutablePVNodeAffinity')
  if (isFixed && !deepEqual(spec.nodeAffinity, before.nodeAffinity))
    errors.push(
      fieldErrors.invalid(
        'nodeAffinity',
        spec.nodeAffinity,
        'field is immutable, except for updating from beta label to GA',
      ),
    )
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(
      fieldErrors.forbidden(path.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'),
    )
  return errors
}

function stampPhase(object: ApiObject, { clock }: KindContext): void {
  statusOf(object).lastPhaseTransitionTime = formatTime(clock.now())
}

const status = statusStrategy()

export const persistentVolume: KindDefinition = {
  group: '',
  kind: 'PersistentVolume',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      const spec = specOf(object)
      const now = (object['status'] ??= {}) as core.PersistentVolumeStatus
      now.phase ||= 'Pending'
      spec.persistentVolumeReclaimPolicy ||= 'Retain'
      spec.volumeMode ??= 'Filesystem'
      roundResources(spec.capacity)
      defaultVolumeSource(spec)
    },
  },
  strategy: specStrategy({
    validate,
    validateUpdate,
    warnings: volumeWarnings,
    prepareForCreate(object, context) {
      object['status'] = { phase: 'Pending' }
      stampPhase(object, context)
    },
  }),
  subresources: {
    status: {
      ...status,
      prepareForUpdate(object, old, context) {
        status.prepareForUpdate?.(object, old, context)
        // A client that changes the phase may set the time; otherwise it is now. An unchanged phase keeps its time.
        const said = statusOf(object).lastPhaseTransitionTime
        const before = statusOf(old).lastPhaseTransitionTime
        if (statusOf(object).phase !== statusOf(old).phase) {
          if (said === undefined || said === before) stampPhase(object, context)
        } else if (said === undefined && before !== undefined) statusOf(object).lastPhaseTransitionTime = before
      },
    },
  },
  columns: [
    nameColumn,
    textColumn('Capacity', 'What the volume holds.', (object) => specOf(object).capacity?.['storage'] ?? ''),
    textColumn('Access Modes', 'Ways in which the volume can be mounted.', (object) =>
      formatAccessModes(specOf(object).accessModes),
    ),
    textColumn(
      'Reclaim Policy',
      'What becomes of the volume once it is released.',
      (object) => specOf(object).persistentVolumeReclaimPolicy ?? '',
    ),
    textColumn('Status', 'Whether the volume is bound.', (object) => phaseOf(object, statusOf(object).phase)),
    textColumn('Claim', 'Claim that the volume is bound to.', (object) => {
      const claim = specOf(object).claimRef
      return claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : ''
    }),
    textColumn('StorageClass', 'Class of the volume.', (object) => classOf(object, specOf(object).storageClassName)),
    textColumn(
      'VolumeAttributesClass',
      'Attributes of the volume.',
      (object) => specOf(object).volumeAttributesClassName ?? '<unset>',
    ),
    textColumn('Reason', 'Why the volume failed.', (object) => statusOf(object).reason ?? ''),
    ageColumn,
    textColumn('VolumeMode', 'File system or block device.', (object) => specOf(object).volumeMode ?? '<unset>', 1),
  ],
}
