import { resources } from '../../../../api/gen/resources.ts'
import type { Client } from '../../../../lib/client/index.ts'
import type { ApiObject, ResourceType } from '../../../../lib/object/index.ts'

/** An object as YAML would have it; its namespace is that of its row. */
export interface Loose {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly [field: string]: unknown }
  readonly [field: string]: unknown
}

/** Objects that make no sense, and what becomes of them. Each row has a namespace of its own. */
export interface Row {
  /** Refused by validation: another server has stored them. */
  readonly stored?: readonly Loose[]
  /** Made through the API before the controllers start. */
  readonly made?: readonly Loose[]
  /** Events that come: about whom, the reason, and what they say. */
  readonly events?: readonly (readonly [kind: string, reason: string, says: RegExp])[]
  /** Reasons of events that do not come. */
  readonly silent?: readonly string[]
  /** Conditions of the first object: type, status, reason, and what they say. */
  readonly conditions?: readonly (readonly [type: string, status: string, reason: string, says?: RegExp])[]
  /** What else becomes true, and stays so. */
  readonly holds?: (world: RowWorld) => Promise<boolean>
  /** What a healthy object of the same controller comes to, made when the row is at its worst. */
  readonly sibling?: (world: RowWorld) => Promise<void>
  /** Writes of all controllers in the namespace within the span, if more than usual. */
  readonly writesMax?: number
}

/** What a row looks at. */
export interface RowWorld {
  readonly client: Client
  readonly namespace: string
  create(object: Loose, namespace?: string): Promise<ApiObject>
  /** Undefined: there is none. */
  get(kind: string, name: string): Promise<Loose | undefined>
  list(kind: string, labelSelector?: string): Promise<readonly Loose[]>
  /** Waits for what should come at once. */
  soon(condition: () => Promise<boolean>, what: string): Promise<void>
}

const { core, apps, batch, policy, discovery, storage } = resources

/** Resources by kind, with the folders of the store that hold them. */
const kinds: Readonly<Record<string, readonly [type: unknown, folder: string]>> = {
  Namespace: [core.v1.namespaces, 'namespaces'],
  Node: [core.v1.nodes, 'minions'],
  Pod: [core.v1.pods, 'pods'],
  ConfigMap: [core.v1.configmaps, 'configmaps'],
  Secret: [core.v1.secrets, 'secrets'],
  Service: [core.v1.services, 'services/specs'],
  ServiceAccount: [core.v1.serviceaccounts, 'serviceaccounts'],
  Endpoints: [core.v1.endpoints, 'services/endpoints'],
  Event: [core.v1.events, 'events'],
  ResourceQuota: [core.v1.resourcequotas, 'resourcequotas'],
  PersistentVolume: [core.v1.persistentvolumes, 'persistentvolumes'],
  PersistentVolumeClaim: [core.v1.persistentvolumeclaims, 'persistentvolumeclaims'],
  ReplicationController: [core.v1.replicationcontrollers, 'controllers'],
  ReplicaSet: [apps.v1.replicasets, 'replicasets'],
  Deployment: [apps.v1.deployments, 'deployments'],
  StatefulSet: [apps.v1.statefulsets, 'statefulsets'],
  DaemonSet: [apps.v1.daemonsets, 'daemonsets'],
  Job: [batch.v1.jobs, 'jobs'],
  CronJob: [batch.v1.cronjobs, 'cronjobs'],
  HorizontalPodAutoscaler: [resources.autoscaling.v2.horizontalpodautoscalers, 'horizontalpodautoscalers'],
  PodDisruptionBudget: [policy.v1.poddisruptionbudgets, 'poddisruptionbudgets'],
  EndpointSlice: [discovery.v1.endpointslices, 'endpointslices'],
  StorageClass: [storage.v1.storageclasses, 'storageclasses'],
  CertificateSigningRequest: [resources.certificates.v1.certificatesigningrequests, 'certificatesigningrequests'],
}

export function typeOf(kind: string): ResourceType<ApiObject> {
  const [type] = kinds[kind] ?? []
  if (!type) throw new Error(`no resource of kind ${kind}`)
  return type as ResourceType<ApiObject>
}

/** The key and the value of an object in the store. */
export function storedEntry(object: Loose, namespace: string, uid: string): [string, object] {
  const { namespaced } = typeOf(object.kind)
  const [, folder] = kinds[object.kind] ?? []
  const within = namespaced ? `${namespace}/` : ''
  const metadata = {
    uid,
    creationTimestamp: hourAgo,
    generation: 1,
    ...(namespaced && { namespace }),
    ...object.metadata,
  }
  return [`/registry/${folder}/${within}${object.metadata.name}`, { ...object, metadata }]
}

const hourAgo = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
