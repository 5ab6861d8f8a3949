import type * as core from '../../api/gen/core/v1.ts'
import type { Frozen } from '../object/index.ts'
import type { Evaluator } from './evaluator.ts'

/** One condition of a quota on the objects that it counts. */
export type QuotaScope = Frozen<core.ScopedResourceSelectorRequirement>

/** All scopes of a quota: those of the list require existence. */
export function scopesOf(spec: Frozen<core.ResourceQuotaSpec> | undefined): QuotaScope[] {
  const listed = (spec?.scopes ?? []).map((scopeName): QuotaScope => ({ scopeName, operator: 'Exists' }))
  return [...listed, ...(spec?.scopeSelector?.matchExpressions ?? [])]
}

/** Whether the object is in all scopes of a quota. */
export function matchesScopes(evaluator: Evaluator, scopes: readonly QuotaScope[], object: object): boolean {
  return scopes.every((scope) => evaluator.isIn?.(scope, object) ?? false)
}

/** Whether the scope selects a class, '' for none. */
export function selectsClass({ operator, values = [] }: QuotaScope, name: string): boolean {
  switch (operator) {
    case 'Exists':
      return name !== ''
    case 'DoesNotExist':
      return name === ''
    case 'In':
      return name !== '' && values.includes(name)
    case 'NotIn':
      return !values.includes(name)
    default:
      return false
  }
}
