// aggregation: API servers behind this one: follows the APIServices, registers those of this server's own group
// versions, checks whether the others are available, forwards their requests, and merges their discovery and OpenAPI.
// Invariant: a slow or lying backend only fails the requests of its own group versions. Must not know kinds by name.
export { type Aggregation, createAggregation } from './aggregation.ts'
export type { GroupPriorities } from './priorities.ts'
export { fetchGroups } from './remotediscovery.ts'
