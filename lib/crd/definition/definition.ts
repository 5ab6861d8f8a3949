import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { ApiObject } from '../../object/index.ts'

export type Definition = v1.CustomResourceDefinition & ApiObject
export type Names = v1.CustomResourceDefinitionNames
export type Condition = v1.CustomResourceDefinitionCondition
export type Version = v1.CustomResourceDefinitionVersion

const definitionsGroup = 'apiextensions.k8s.io'
export const definitionsResource = { group: definitionsGroup, resource: 'customresourcedefinitions' } as const

/** Casts an object of the definitions' resource: the store contains no other kind there. */
export function asDefinition(object: ApiObject): Definition {
  return object as Definition
}

export function statusOf({ status }: Definition): Partial<v1.CustomResourceDefinitionStatus> {
  return status ?? {}
}

export function conditionOf(definition: Definition, type: string): Condition | undefined {
  return statusOf(definition).conditions?.find((condition) => condition.type === type)
}

export function isTrue(definition: Definition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True'
}

/** Requests for the definition's objects are answered. */
export function isServed(definition: Definition): boolean {
  return isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')
}

export function isTerminating(definition: Definition): boolean {
  return isTrue(definition, 'Terminating')
}

export function storageVersionOf({ spec }: Definition): string {
  return spec.versions?.find(({ storage }) => storage)?.name ?? ''
}
