// fairness: API Priority and Fairness: which flow schema and priority level a request belongs to, how many seats it
// takes, and whether it executes, waits in a queue or is refused. Invariant: no flow can take another flow's share of a
// level's seats, and every wait ends. It must not know sockets, stores or how an answer is written.
export { dumpPriorityLevels, dumpQueues, dumpRequests } from './debug.ts'
export { type ClassifiedRequest, createFairness, type Fairness } from './fairness.ts'
export type { FlowSchemaObject } from './flowschema.ts'
export type { PriorityLevelObject } from './prioritylevel.ts'
export type { Refusal } from './queueset.ts'
