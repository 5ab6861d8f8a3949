import { resources } from '../../../api/gen/resources.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'

const { core, apps, batch, policy, autoscaling, discovery, networking, storage, rbac, certificates } = resources

/** What controllers read: resources with the kind of an object in test/support/valid. */
const read: readonly [type: unknown, kind: string][] = [
  [core.v1.pods, 'Pod'],
  [core.v1.nodes, 'Node'],
  [core.v1.services, 'Service'],
  [core.v1.endpoints, 'Endpoints'],
  [core.v1.replicationcontrollers, 'ReplicationController'],
  [core.v1.persistentvolumes, 'PersistentVolume'],
  [core.v1.persistentvolumeclaims, 'PersistentVolumeClaim'],
  [core.v1.configmaps, 'ConfigMap'],
  [core.v1.secrets, 'Secret'],
  [core.v1.serviceaccounts, 'ServiceAccount'],
  [apps.v1.deployments, 'Deployment'],
  [apps.v1.replicasets, 'ReplicaSet'],
  [apps.v1.statefulsets, 'StatefulSet'],
  [apps.v1.daemonsets, 'DaemonSet'],
  [apps.v1.controllerrevisions, 'ControllerRevision'],
  [batch.v1.jobs, 'Job'],
  [batch.v1.cronjobs, 'CronJob'],
  [policy.v1.poddisruptionbudgets, 'PodDisruptionBudget'],
  [autoscaling.v2.horizontalpodautoscalers, 'HorizontalPodAutoscaler'],
  [discovery.v1.endpointslices, 'EndpointSlice'],
  [networking.v1.servicecidrs, 'ServiceCIDR'],
  [networking.v1.ipaddresses, 'IPAddress'],
  [storage.v1.storageclasses, 'StorageClass'],
  [storage.v1.volumeattachments, 'VolumeAttachment'],
  [rbac.v1.clusterroles, 'ClusterRole'],
  [certificates.v1.certificatesigningrequests, 'CertificateSigningRequest'],
  [resources.admissionregistration.v1.validatingadmissionpolicies, 'ValidatingAdmissionPolicy'],
  [resources.resource.v1.resourceclaims, 'ResourceClaim'],
  [resources.resource.v1.resourceslices, 'ResourceSlice'],
]

/** Each of them, or only the one, with an object that the server takes. */
export async function extremeKinds(only?: string): Promise<ReadonlyMap<ResourceType<ApiObject>, Frozen<ApiObject>>> {
  const kinds = new Map<ResourceType<ApiObject>, Frozen<ApiObject>>()
  for (const [type, kind] of read) {
    if (only !== undefined && kind !== only) continue
    const { valid } = (await import(`../../support/valid/${kind}.ts`)) as { valid: Frozen<ApiObject> }
    // Types differ in what they hold; these objects are of them.
    kinds.set(type as ResourceType<ApiObject>, valid)
  }
  return kinds
}
