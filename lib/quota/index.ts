// quota: the usage of objects that a ResourceQuota limits, and the quotas that count them: an evaluator for each kind
// with its own rules, and object counts for every other resource. Pure functions, shared by the admission plugin, which
// charges writes, and the controller, which recalculates. Must not know stores, clients or requests.
export {
  type Amounts,
  addAmounts,
  exceeding,
  formatAmounts,
  isSameAmounts,
  maskAmounts,
  negativeAmounts,
  positiveAmounts,
  subtractAmounts,
} from './amounts.ts'
export type { Evaluator } from './evaluator.ts'
export { createEvaluators, type Evaluators } from './evaluators.ts'
export { createOverdueWatch, type OverdueWatch, overdueByTimestamp } from './overdue.ts'
export { podResources, type ResourceTotals, resourcesOf } from './podresources.ts'
export { matchesScopes, type QuotaScope, scopesOf } from './scopes.ts'
