import { resources } from '../../api/gen/resources.ts'
import type { ControllerContext } from '../controller/index.ts'
import type { Snapshot } from './contract.ts'
import { defaultSelector, workloadListers } from './defaultselector.ts'
import type { DeviceState } from './dra/state.ts'
import type { ClusterState } from './state.ts'

export type Listers = ReturnType<typeof listersOf>

/** Requests informers of all that decisions look at. `spreads`: a profile has constraints for pods without any. */
export function listersOf(context: ControllerContext, { spreads }: { readonly spreads: boolean }) {
  return {
    pods: context.informer(resources.core.v1.pods),
    nodes: context.informer(resources.core.v1.nodes),
    claims: context.informer(resources.core.v1.persistentvolumeclaims),
    volumes: context.informer(resources.core.v1.persistentvolumes),
    classes: context.informer(resources.storage.v1.storageclasses),
    csiNodes: context.informer(resources.storage.v1.csinodes),
    budgets: context.informer(resources.policy.v1.poddisruptionbudgets),
    namespaces: context.informer(resources.core.v1.namespaces),
    workloads: spreads ? workloadListers(context) : undefined,
  }
}

export function snapshotOf(
  state: ClusterState,
  { claims, volumes, classes, csiNodes, namespaces, workloads }: Listers,
  devices: DeviceState | undefined,
): Snapshot {
  return {
    nodes: state.nodes,
    nominated: state.nominated,
    volumes: { claims, volumes, classes, csiNodes },
    devices,
    controlledBy: (uid) => state.controlledBy(uid),
    namespaceLabels: (namespace) => namespaces.get(namespace)?.metadata.labels,
    defaultSelector: (pod) => workloads && defaultSelector(pod, workloads),
  }
}
