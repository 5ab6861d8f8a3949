import type * as scheduling from '../../../../api/gen/scheduling.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkRequiredChoice } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'

const of = (object: ApiObject): scheduling.PriorityClass => object as scheduling.PriorityClass

const userValueMax = 1_000_000_000
const systemPrefix = 'system-'
interface SystemClass {
  readonly value: number
  readonly description: string
}

/** The built-in classes of every cluster: their values are above all others. */
export const systemPriorityClasses: ReadonlyMap<string, SystemClass> = new Map([
  [
    'system-node-critical',
    {
      value: 2_000_001_000,
      description: 'Used for system critical pods that must not be moved from their current node.',
    },
  ],
  [
    'system-cluster-critical',
    {
      value: 2_000_000_000,
      description:
        'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    },
  ],
])

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { value, globalDefault, preemptionPolicy } = of(object)
  const { name = '' } = object.metadata
  if (name.startsWith(systemPrefix)) {
    const why = systemClassFinding(name, value, globalDefault === true)
    if (why !== '') {
      const text = "priority class names with 'system-' prefix are reserved for system use only. error: "
      errors.push(fieldErrors.forbidden(FieldPath.root('metadata').child('name'), text + why))
    }
  } else if (value > userValueMax)
    errors.push(fieldErrors.forbidden('value', `maximum allowed value of a user defined priority is ${userValueMax}`))
  if (preemptionPolicy !== undefined)
    checkRequiredChoice(errors, preemptionPolicy, FieldPath.root('preemptionPolicy'), ['PreemptLowerPriority', 'Never'])
  return errors
}

function systemClassFinding(name: string, value: number, globalDefault: boolean): string {
  const own = systemPriorityClasses.get(name)?.value
  if (own === undefined) return `${name} is not a known system priority class`
  if (own !== value) return `value of ${name} PriorityClass must be ${own}`
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : ''
}

/** Pods have a copy of the value, so it can't change. */
function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { value, preemptionPolicy } = of(object)
  if (value !== of(old).value) errors.push(fieldErrors.forbidden('value', 'may not be changed in an update.'))
  if (preemptionPolicy !== of(old).preemptionPolicy)
    errors.push(fieldErrors.immutable('preemptionPolicy', preemptionPolicy))
  return errors
}

export const priorityClass: KindDefinition = {
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      of(object).preemptionPolicy ??= 'PreemptLowerPriority'
    },
  },
  strategy: {
    prepareForCreate(object) {
      object.metadata.generation = 1
    },
    validateCreate: validate,
    validateUpdate,
    undeletable: ({ metadata }) =>
      systemPriorityClasses.has(metadata.name ?? '')
        ? 'this is a system priority class and cannot be deleted'
        : undefined,
  },
  columns: [
    nameColumn,
    countColumn('Value', 'Priority of pods of this class.', (object) => of(object).value),
    {
      name: 'Global-Default',
      type: 'boolean',
      description: 'Whether pods that name no class are of this one.',
      priority: 0,
      cell: (object) => of(object).globalDefault === true,
    },
    ageColumn,
    textColumn(
      'PreemptionPolicy',
      'Whether pods of this class may take the place of others.',
      (object) => of(object).preemptionPolicy ?? '',
    ),
  ],
}
