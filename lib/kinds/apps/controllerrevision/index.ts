import type * as apps from '../../../../api/gen/apps/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseGroupVersion,
  semanticEqual,
} from '../../../object/index.ts'
import { checkNonNegative } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'

const of = (object: ApiObject): apps.ControllerRevision => object as apps.ControllerRevision

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { data, revision } = of(object)
  if (data === undefined) errors.push(fieldErrors.required(FieldPath.root('data'), 'data is mandatory'))
  else if (typeof data !== 'object' || data === null || Array.isArray(data))
    errors.push(fieldErrors.invalid(FieldPath.root('data'), '<value omitted>', 'must be a valid JSON object'))
  checkNonNegative(errors, revision, FieldPath.root('revision'))
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkNonNegative(errors, of(object).revision, FieldPath.root('revision'))
  if (!semanticEqual(of(object).data, of(old).data))
    errors.push(fieldErrors.immutable(FieldPath.root('data'), of(object).data))
  return errors
}

/** The object's controller: `deployment.apps/web`. */
function controllerOf(object: ApiObject): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (!owner) return '<none>'
  const group = parseGroupVersion(owner.apiVersion)?.group ?? ''
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`
}

export const controllerRevision: KindDefinition = {
  group: 'apps',
  kind: 'ControllerRevision',
  nameRule: nameRules.subdomain,
  strategy: { ...specStrategy({ hasStatus: false, validate }), validateUpdate },
  columns: [
    nameColumn,
    textColumn('Controller', 'Owner that manages the revision.', controllerOf),
    textColumn('Revision', 'Number of the revision.', (object) => of(object).revision ?? 0),
    ageColumn,
  ],
}
