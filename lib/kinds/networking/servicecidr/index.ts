import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseCidr,
  validateCidr,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec').child('cidrs')
const cidrsOf = (object: ApiObject): readonly string[] | undefined =>
  (object['spec'] as networking.ServiceCIDRSpec | undefined)?.cidrs

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const cidrs = cidrsOf(object) ?? []
  if (cidrs.length === 0) return [fieldErrors.required(path, 'at least one CIDR required')]
  if (cidrs.length > 2) return [fieldErrors.invalid(path, cidrs, 'may only hold up to 2 values')]
  const [first, second] = cidrs.map(parseCidr)
  if (first && second && first.family === second.family) {
    const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
    errors.push(fieldErrors.invalid(path, cidrs, why))
  }
  cidrs.forEach((cidr, index) => checkFormat(errors, cidr, path.index(index), validateCidr))
  return errors
}

/** Immutable, except that a block of the other family may be added. */
function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const now = cidrsOf(object) ?? []
  const before = cidrsOf(old) ?? []
  const fixed = (index: number): FieldError[] =>
    now[index] === before[index] ? [] : [fieldErrors.immutable(path.index(index), now[index])]
  if (now.length === before.length) return now.flatMap((_, index) => fixed(index))
  if (now.length === 2 && before.length === 1) return [...fixed(0), ...validate(object)]
  return [fieldErrors.immutable(path, cidrsOf(object))]
}

export const serviceCidr: KindDefinition = {
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  nameRule: nameRules.subdomain,
  strategy: {
    ...specStrategy({ validate: () => [] }),
    validateCreate: validate,
    validateUpdate,
  },
  subresources: { status: statusStrategy(undefined, { keepMetadata: true }) },
  columns: [
    nameColumn,
    textColumn('CIDRs', 'Blocks that addresses of services come from.', (object) => cidrsOf(object)?.join(',') ?? ''),
    ageColumn,
  ],
}
