// controller: what controllers are made of: informers that follow resources through lib/client, listers with indexes,
// work queues, events, leader election, and a manager that runs chosen controllers over shared informers. Invariant: an
// informer never stops following; a key is never worked on twice at once, nor before the informers show what earlier
// work on it wrote. Must not know any controller, nor how the API is reached. How to write one: definition.ts.
export type { ControllerContext, ControllerDefinition } from './definition.ts'
export { discover, type DiscoveredResource, type Discovery } from './discovery.ts'
export { createEventSink, type EventRecorder, type EventSink, type EventType } from './events.ts'
export { createExpectations, type Expectations } from './expectations.ts'
export { type Change, createInformer, type Informer, type SharedInformer } from './informer.ts'
export { createInformers, type Informers, nameOf } from './informers.ts'
export { type Identified, joinKey, keyOf, namespaceOf, splitKey, uidOf } from './key.ts'
export { createLeaderElection, type Leadership, type LeaderElectionOptions } from './leaderelection.ts'
export { byController, type Index, type Lister, listerOf, orphansIn, selected } from './lister.ts'
export { type Manager, type ManagerDependencies, type ManagerOptions, startControllers } from './manager.ts'
export { controllerOf, controllerReference, isControlledBy } from './owners.ts'
export { createOwnWrites, type OwnWrites } from './ownwrites.ts'
export { createQueueMetrics, type QueueMetrics } from './queuemetrics.ts'
export {
  createReconciler,
  isAlreadyExists,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  type Reconciler,
  type ReconcilerOptions,
  type Turn,
  type TurnResult,
} from './reconciler.ts'
export { type ReflectorOptions, startReflector } from './reflector.ts'
export { selectControllers } from './selection.ts'
export {
  type ClusterSigning,
  type ControllerSettings,
  defaultControllerSettings,
  type SigningFiles,
} from './settings.ts'
export { createWorkQueue, type WorkQueue, type WorkQueueOptions, type WorkSource } from './workqueue.ts'
