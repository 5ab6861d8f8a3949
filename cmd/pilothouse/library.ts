/// <reference types="node" preserve="true" />
import { type ControlPlane, openControlPlane } from './plane.ts'
import type { ControlPlaneOptions } from './planeconfig.ts'

export { resources } from '../../api/gen/resources.ts'
export type { LogFields, Logger } from '../../lib/base/index.ts'
export { type Client, RequestError, type ResourceClient, type WatchEvent } from '../../lib/client/index.ts'
export type { Fault, FaultRule, Faults, FaultVerb, InjectedFault } from '../../lib/controlplane/index.ts'
export {
  type ApiObject,
  type Frozen,
  type ObjectMeta,
  type ResourceType,
  resourceType,
  StatusError,
} from '../../lib/object/index.ts'
export type { PlaneFetch } from './fetch.ts'
export { createInformer, type Informer, type InformerOptions, type ObjectChange } from './operator/informer.ts'
export { createLeaderElection, type LeaderElection, type LeaderElectionOptions } from './operator/leaderelection.ts'
export {
  createReconciler,
  type Reconciler,
  type ReconcilerOptions,
  type Reconciliation,
} from './operator/reconciler.ts'
export type { ObjectRequest, Watch } from './operator/watch.ts'
export type { ControlPlane } from './plane.ts'
export type { ControlPlaneOptions, ControlPlaneStorage, HollowNodeOptions } from './planeconfig.ts'
export type { ControlPlaneClock, PlaneClock } from './testkit/clock.ts'
export type { PlaneEvent } from './testkit/events.ts'
export type { EventuallyOptions } from './testkit/eventually.ts'
export type { PlaneSnapshot } from './testkit/snapshot.ts'

/**
 * Starts a control plane and resolves when it is ready to serve. Any number may run in one process. Rejects with an Error
 * of one line when the storage or the port can't be used, or an option makes no sense; nothing is left behind then.
 *
 *     const plane = await startControlPlane()
 *     const pods = await plane.client.resource(resources.core.v1.pods).list({ namespace: 'default' })
 *     const answer = await plane.fetch('/api/v1/namespaces')
 *     await plane.stop()
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { plane } = await openControlPlane(options)
  return plane
}
