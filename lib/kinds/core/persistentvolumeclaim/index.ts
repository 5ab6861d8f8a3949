import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  compareQuantities,
  copyObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkSupported } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { checkResourceAmount, checkResourceName, isNativeResource } from '../podspec/resources.ts'
import { checkClaimSpec, defaultClaimSpec } from './spec.ts'
import { classAnnotation, persistentVolumeClaimWarnings } from './warnings.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): core.PersistentVolumeClaimSpec => object['spec'] as core.PersistentVolumeClaimSpec
const statusOf = (object: ApiObject): core.PersistentVolumeClaimStatus =>
  (object['status'] ?? {}) as core.PersistentVolumeClaimStatus

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkClaimSpec(errors, specOf(object), path)
  return errors
}

/**
 * Drops a `dataSource` that names neither a claim nor a snapshot, unless the claim had one before. Then makes
 * `dataSource` and `dataSourceRef` equal, unless the source is in another namespace.
 */
function prepareDataSources(object: ApiObject, old?: ApiObject): void {
  const spec = specOf(object)
  if (spec.dataSource && !(old && specOf(old).dataSource) && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource }
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) {
    const { namespace: _namespace, ...local } = spec.dataSourceRef
    spec.dataSource = local
  }
}

function isClaimOrSnapshot({ apiGroup = '', kind }: core.TypedLocalObjectReference): boolean {
  if (apiGroup === '') return kind === 'PersistentVolumeClaim'
  return apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot'
}

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const before = specOf(old)
  const rest = copyObject(spec)
  // The volume's name, and a class that was left to the default, can be set once.
  if (!before.volumeName) {
    if (before.volumeName === undefined) delete rest.volumeName
    else rest.volumeName = before.volumeName
  }
  if (before.storageClassName === undefined && old.metadata.annotations?.[classAnnotation] === undefined)
    delete rest.storageClassName
  const isBound = statusOf(old).phase === 'Bound'
  if (isBound) {
    rest.resources = copyObject(before.resources)
    if (before.volumeAttributesClassName === undefined) delete rest.volumeAttributesClassName
    else rest.volumeAttributesClassName = before.volumeAttributesClassName
  }
  if (!deepEqual(rest, before)) errors.push(fieldErrors.forbidden(path, fixedText))
  checkSize(errors, spec, before, statusOf(old))
  if (spec.volumeMode !== before.volumeMode) errors.push(fieldErrors.immutable('volumeMode', spec.volumeMode))
  if (isBound && before.volumeAttributesClassName && !spec.volumeAttributesClassName)
    errors.push(
      fieldErrors.forbidden(path.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'),
    )
  return errors
}

/** A claim may grow, and shrink back to its actual size. */
function checkSize(
  errors: FieldError[],
  spec: core.PersistentVolumeClaimSpec,
  before: core.PersistentVolumeClaimSpec,
  status: core.PersistentVolumeClaimStatus,
): void {
  const was = before.resources.requests?.['storage'] ?? '0'
  const is = spec.resources.requests?.['storage'] ?? '0'
  if (compareQuantities(is, was) >= 0) return
  const actual = status.capacity?.['storage'] ?? '0'
  if (compareQuantities(is, actual) > 0) return
  const at = path.child('resources').child('requests').child('storage')
  errors.push(fieldErrors.forbidden(at, 'field can not be less than status.capacity'))
}

// biome-ignore format: a list of names
const resizeStatuses = [
  'ControllerResizeInProgress', 'ControllerResizeFailed', 'ControllerResizeInfeasible', 'NodeResizePending',
  'NodeResizeInProgress', 'NodeResizeFailed', 'NodeResizeInfeasible',
] as const

function validateStatus(object: ApiObject, _old: ApiObject, { gate }: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const status = FieldPath.root('status')
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = statusOf(object)
  for (const [name, amount] of Object.entries(capacity)) {
    const at = status.child('capacity').key(name)
    checkResourceName(errors, name, at)
    checkResourceAmount(errors, name, amount, at)
  }
  if (!gate('RecoverVolumeExpansionFailure')) return errors
  for (const [name, resize] of Object.entries(allocatedResourceStatuses)) {
    const at = status.child('allocatedResourceStatuses')
    checkClaimResource(errors, name, at)
    checkSupported(errors, resize, at, resizeStatuses)
  }
  for (const [name, amount] of Object.entries(allocatedResources)) {
    const at = status.child('allocatedResources')
    if (checkClaimResource(errors, name, at)) checkResourceAmount(errors, name, amount, at.key(name))
  }
  return errors
}

/** Storage is the only native resource that a claim can request. */
function checkClaimResource(errors: FieldError[], name: string, at: FieldPath): boolean {
  const before = errors.length
  checkFormat(errors, name, at, validateQualifiedName)
  if (errors.length === before && isNativeResource(name)) checkSupported(errors, name, at, ['storage'])
  return errors.length === before
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,RWX`: every mode once, in a fixed order. */
export function formatAccessModes(modes: readonly string[] | undefined): string {
  return Object.entries(shortModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

/** The class in the former annotation, else in its field. */
export function classOf(object: ApiObject, storageClassName: string | undefined): string {
  return object.metadata.annotations?.[classAnnotation] ?? storageClassName ?? ''
}

/** `Terminating` while it is being deleted, else its phase. */
export function phaseOf(object: ApiObject, phase: string | undefined): string {
  return object.metadata.deletionTimestamp === undefined ? (phase ?? '') : 'Terminating'
}

export const persistentVolumeClaim: KindDefinition = {
  group: '',
  kind: 'PersistentVolumeClaim',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      const status = (object['status'] ??= {}) as core.PersistentVolumeClaimStatus
      status.phase ||= 'Pending'
      defaultClaimSpec(specOf(object))
    },
  },
  strategy: specStrategy({
    validate,
    validateUpdate,
    warnings: persistentVolumeClaimWarnings,
    prepareForCreate(object) {
      object['status'] = { phase: 'Pending' }
      prepareDataSources(object)
    },
    prepareForUpdate: prepareDataSources,
  }),
  subresources: { status: statusStrategy(validateStatus) },
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the claim is bound.', (object) => phaseOf(object, statusOf(object).phase)),
    textColumn('Volume', 'Volume that the claim is bound to.', (object) => specOf(object).volumeName ?? ''),
    textColumn('Capacity', 'What the volume holds.', (object) =>
      specOf(object).volumeName ? (statusOf(object).capacity?.['storage'] ?? '') : '',
    ),
    textColumn('Access Modes', 'Ways in which the volume can be mounted.', (object) =>
      specOf(object).volumeName ? formatAccessModes(statusOf(object).accessModes) : '',
    ),
    textColumn('StorageClass', 'Class of the volume.', (object) => classOf(object, specOf(object).storageClassName)),
    textColumn(
      'VolumeAttributesClass',
      'Attributes of the volume.',
      (object) => specOf(object).volumeAttributesClassName ?? '<unset>',
    ),
    ageColumn,
    textColumn('VolumeMode', 'File system or block device.', (object) => specOf(object).volumeMode ?? '<unset>', 1),
  ],
}
