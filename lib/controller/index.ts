// controller: the building blocks of controllers: informers that follow resources through lib/client, listers with
// indexes, work queues, events, leader election, and a manager that runs chosen controllers over shared informers.
// Invariant: an informer never stops following; a key is never worked on twice at once, nor before the informers show
// what earlier work on it wrote. Must not know any controller, nor how the API is reached. How to write one:
// definition.ts.
export type { ControllerContext, ControllerDefinition } from './definition.ts'
export { type DiscoveredResource, type Discovery, discover, discoverTypes } from './discovery.ts'
export { createEventSink, type EventRecorder } from './events.ts'
export { createSeriesRecorder, type SeriesRecorder } from './eventseries.ts'
export { type ControllerFailure, failuresDocument, failuresPath } from './failures.ts'
export { createInformer, type Informer, type InformerEvent } from './informer.ts'
export { nameOf } from './informers.ts'
export { type Identified, joinKey, keyOf, namespaceOf, splitKey } from './key.ts'
export { createKindMapper, type KindMapper } from './kindmapper.ts'
export { createLeaderElection, type LeaderElectionOptions, type Leadership } from './leaderelection.ts'
export { byController, type Index, type Lister, listerOf, orphansIn } from './lister.ts'
export { type Manager, startControllers } from './manager.ts'
export { controllerOf, controllerReference, isControlledBy } from './owners.ts'
export {
  createReconciler,
  isAlreadyExists,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  type TurnResult,
} from './reconciler.ts'
export { selectControllers } from './selection.ts'
export {
  type ControllerSettings,
  defaultControllerSettings,
  type RecyclerPods,
  type SigningAuthority,
  type SigningFiles,
} from './settings.ts'
export { createWorkQueue, type WorkQueue } from './workqueue.ts'
