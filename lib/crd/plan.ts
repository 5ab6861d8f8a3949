import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import { deepEqual } from '../object/index.ts'
import { approvalCondition } from './conditions/approval.ts'
import { establishingFault } from './conditions/cabundle.ts'
import { decideNames } from './conditions/names.ts'
import { setCondition } from './conditions/setcondition.ts'
import { structuralCondition } from './conditions/structural.ts'
import { type Condition, conditionOf, type Definition, isTrue, type Names, statusOf } from './definition/definition.ts'

const noNames: Names = { plural: '', kind: '' }

/**
 * The new status of a definition; undefined: unchanged. `others`: the accepted names of the group's other definitions;
 * `now`: the time of changes. Clients watch for steps, so that each is a write of its own: names are accepted first,
 * and the next write establishes the definition. `structureOf`: the condition NonStructuralSchema.
 */
export function planStatus(
  definition: Definition,
  others: readonly Names[],
  now: string,
  structureOf: typeof structuralCondition = structuralCondition,
): v1.CustomResourceDefinitionStatus | undefined {
  const status = statusOf(definition)
  const { acceptedNames = noNames } = status
  const before: readonly Condition[] = status.conditions ?? []
  let conditions = withStructure(structureOf(definition), withApproval(definition, before, now), now)
  let accepted = acceptedNames
  // An old server may have stored accepted names without a condition.
  if (!sameNames(definition.spec.names, acceptedNames) || !conditionOf(definition, 'NamesAccepted')) {
    const decision = decideNames(definition.spec.names, acceptedNames, others)
    accepted = decision.accepted
    const { status: isAccepted, reason, message } = decision
    conditions = setCondition(conditions, { type: 'NamesAccepted', status: isAccepted, reason, message }, now)
    conditions = withPending(conditions, isAccepted === 'True', now)
  } else if (isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) {
    const fault = establishingFault(definition)
    const established = fault ? { status: 'False', ...fault } : { status: 'True', ...initial }
    conditions = setCondition(conditions, { type: 'Established', ...established }, now)
  }
  if (accepted === acceptedNames && deepEqual(conditions, before)) return undefined
  const planned = { ...status, storedVersions: status.storedVersions ?? [], acceptedNames: accepted, conditions }
  return deepEqual(planned, status) ? undefined : planned
}

const initial = { reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }

/** Names never revoke Established; before, the condition names what it waits for. */
function withPending(conditions: readonly Condition[], isAccepted: boolean, now: string): Condition[] {
  const old = conditions.find(({ type }) => type === 'Established')
  if (old?.status === 'True') return [...conditions]
  const pending = isAccepted
    ? { reason: 'Installing', message: initial.message }
    : { reason: old?.reason ?? 'NotAccepted', message: old?.message ?? 'not all names are accepted' }
  return setCondition(conditions, { type: 'Established', status: 'False', ...pending }, now)
}

/** Removes the condition with the last violation. */
function withStructure(
  wanted: ReturnType<typeof structuralCondition>,
  conditions: readonly Condition[],
  now: string,
): Condition[] {
  const type = 'NonStructuralSchema'
  if (!wanted) return conditions.filter((one) => one.type !== type)
  return setCondition(conditions, { type, ...wanted }, now)
}

function withApproval({ spec, metadata }: Definition, conditions: readonly Condition[], now: string): Condition[] {
  const type = 'KubernetesAPIApprovalPolicyConformant'
  const wanted = approvalCondition(spec.group, metadata.annotations)
  if (!wanted) return [...conditions]
  const old = conditions.find((one) => one.type === type)
  if (old?.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message)
    return [...conditions]
  return setCondition(conditions, { type, ...wanted }, now)
}

/** Compares names; an empty list equals an absent one. */
function sameNames(a: Names, b: Names): boolean {
  const plain = ({ plural, singular = '', kind, listKind = '', shortNames = [], categories = [] }: Names) => ({
    plural,
    singular,
    kind,
    listKind,
    shortNames,
    categories,
  })
  return deepEqual(plain(a), plain(b))
}
