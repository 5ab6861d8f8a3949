// scheduler: gives pods to nodes: filters, scores, preemption, volumes that are bound late, in the words of the stock
// scheduler. Invariant: a plan is a pure function of a snapshot; a pod counts on its node from the moment of the plan.
// Must not know what nodes do with their pods, nor how the API is reached.
export { type SchedulerSettings, schedulerSettings } from './configuration/settings.ts'
export { createScheduler, type SchedulerOptions } from './definition.ts'
