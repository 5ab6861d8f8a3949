// aggregation: API servers behind this one: follows the APIServices, registers those of this server's own group versions,
// checks whether the others are available, passes their requests on, and gathers their discovery and OpenAPI.
// Invariant: a slow or lying backend fails the requests of its own group versions only. Must not know kinds by name.
export { type Aggregation, createAggregation } from './aggregation.ts'
export type { GroupPriorities } from './priorities.ts'
export { fetchGroups } from './remotediscovery.ts'
