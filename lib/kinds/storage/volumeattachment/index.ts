import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent } from '../../check.ts'
import { checkInlineVolumeSpec } from '../../core/persistentvolume/spec.ts'
import { defaultVolumeSource } from '../../core/podspec/defaults.ts'
import { checkDriverName } from '../../core/podspec/volumesources.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec')
const messageBytesMax = 1024
/** Also the limit in the error for long messages, as in the stock server. */
const metadataBytesMax = 256 * 1024
const specOf = (object: ApiObject): storage.VolumeAttachmentSpec => object['spec'] as storage.VolumeAttachmentSpec
const statusOf = (object: ApiObject): Partial<storage.VolumeAttachmentStatus> =>
  (object['status'] ?? {}) as Partial<storage.VolumeAttachmentStatus>

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { attacher, source, nodeName } = specOf(object)
  checkDriverName(errors, attacher, path.child('attacher'))
  const at = path.child('source')
  const { persistentVolumeName, inlineVolumeSpec } = source
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined)
    errors.push(fieldErrors.required(at, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'))
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined)
    errors.push(fieldErrors.forbidden(at, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'))
  else if (persistentVolumeName !== undefined) {
    const name = at.child('persistentVolumeName')
    checkPresent(errors, persistentVolumeName, name, 'must specify non empty persistentVolumeName')
    checkFormat(errors, persistentVolumeName, name, validateDns1123Subdomain)
  } else if (inlineVolumeSpec !== undefined)
    checkInlineVolumeSpec(errors, inlineVolumeSpec, at.child('inlineVolumeSpec'))
  checkFormat(errors, nodeName, path.child('nodeName'), validateDns1123Subdomain)
  checkStatus(errors, object)
  return errors
}

function checkStatus(errors: FieldError[], object: ApiObject): void {
  const at = FieldPath.root('status')
  const { attachError, detachError, attachmentMetadata } = statusOf(object)
  for (const [name, error] of Object.entries({ attachError, detachError }))
    if (error && Buffer.byteLength(error.message ?? '') > messageBytesMax)
      errors.push(fieldErrors.tooLong(at.child(name).child('message'), metadataBytesMax))
  let bytes = 0
  for (const [key, value] of Object.entries(attachmentMetadata ?? {}))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  if (bytes > metadataBytesMax) errors.push(fieldErrors.tooLong(at.child('attachmentMetadata'), metadataBytesMax))
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  if (semanticEqual(specOf(object), specOf(old))) return []
  return [fieldErrors.immutable(path, specOf(object))]
}

function validateStatusUpdate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkStatus(errors, object)
  return errors
}

export const volumeAttachment: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      const { inlineVolumeSpec } = specOf(object).source
      if (inlineVolumeSpec) defaultVolumeSource(inlineVolumeSpec)
    },
  },
  strategy: specStrategy({ validate, validateUpdate }),
  subresources: { status: statusStrategy(validateStatusUpdate, { keepMetadata: true }) },
  columns: [
    nameColumn,
    {
      ...textColumn('Attacher', 'Driver that attaches the volume.', (object) => specOf(object).attacher),
      format: 'name',
    },
    textColumn('PV', 'Persistent volume to attach.', (object) => specOf(object).source.persistentVolumeName ?? ''),
    textColumn('Node', 'Node to attach it to.', (object) => specOf(object).nodeName),
    {
      name: 'Attached',
      type: 'boolean',
      description: 'Whether the volume is attached.',
      priority: 0,
      cell: (object) => statusOf(object).attached === true,
    },
    ageColumn,
  ],
}
