// quota: how much objects use of what a ResourceQuota limits, and which quotas count them: an evaluator for each kind
// with rules of its own, and object counts for every other resource. Pure functions, shared by the admission plugin,
// which charges writes, and the controller, which counts anew. Must not know stores, clients or requests.
export {
  addAmounts,
  type Amounts,
  exceeding,
  formatAmounts,
  isSameAmounts,
  maskAmounts,
  negativeAmounts,
  positiveAmounts,
  subtractAmounts,
} from './amounts.ts'
export { createEvaluators, type Evaluators } from './evaluators.ts'
export type { Evaluator } from './evaluator.ts'
export { createOverdueWatch, overdueByTimestamp, type OverdueWatch } from './overdue.ts'
export { podResources, type ResourceTotals, resourcesOf } from './podresources.ts'
export { matchesScopes, type Scope, scopesOf } from './scopes.ts'
