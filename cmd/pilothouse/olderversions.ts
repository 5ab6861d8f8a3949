import { isRecord } from '../../lib/base/index.ts'
import type { JsonObject, JsonValue } from '../../lib/object/index.ts'

/**
 * Versions that no server serves any more, and their successors. Most have the same shape and only change their name;
 * `bring` converts the others, and sets the defaults of the old version. It may change its object.
 */
interface OlderVersion {
  readonly apiVersion: string
  readonly bring?: (object: JsonObject) => void
}

/** Undefined for other versions. */
export function olderVersion(apiVersion: string, kind: string): OlderVersion | undefined {
  const versions = Object.hasOwn(older, apiVersion) ? older[apiVersion] : undefined
  return versions && Object.hasOwn(versions, kind) ? versions[kind] : undefined
}

const forever = 2 ** 31 - 1
const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } }

const apps = (bring: (object: JsonObject) => void): OlderVersion => ({ apiVersion: 'apps/v1', bring })
const same = (apiVersion: string, ...kinds: readonly string[]): Record<string, OlderVersion> =>
  Object.fromEntries(kinds.map((kind) => [kind, { apiVersion }]))
const ingress: OlderVersion = { apiVersion: 'networking.k8s.io/v1', bring: bringIngress }
const rbac = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']

const older: Readonly<Record<string, Readonly<Record<string, OlderVersion>>>> = {
  'extensions/v1beta1': {
    ...same('networking.k8s.io/v1', 'NetworkPolicy'),
    Ingress: ingress,
    ReplicaSet: apps(selectTemplate),
    Deployment: apps(
      workload({ strategy: rolling, progressDeadlineSeconds: forever, revisionHistoryLimit: forever }, ['rollbackTo']),
    ),
    DaemonSet: apps(workload({ updateStrategy: { type: 'OnDelete' } }, ['templateGeneration'])),
  },
  'apps/v1beta1': {
    ...same('apps/v1', 'ControllerRevision'),
    Deployment: apps(workload({ revisionHistoryLimit: 2 }, ['rollbackTo'])),
    StatefulSet: apps(workload({ updateStrategy: { type: 'OnDelete' } }, [])),
  },
  'apps/v1beta2': same('apps/v1', 'ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'),
  'autoscaling/v2beta2': same('autoscaling/v2', 'HorizontalPodAutoscaler'),
  'batch/v1beta1': same('batch/v1', 'CronJob'),
  'coordination.k8s.io/v1beta1': same('coordination.k8s.io/v1', 'Lease'),
  'events.k8s.io/v1beta1': same('events.k8s.io/v1', 'Event'),
  'flowcontrol.apiserver.k8s.io/v1beta3': same(
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'PriorityLevelConfiguration',
  ),
  'networking.k8s.io/v1beta1': { ...same('networking.k8s.io/v1', 'IngressClass'), Ingress: ingress },
  'node.k8s.io/v1beta1': same('node.k8s.io/v1', 'RuntimeClass'),
  'policy/v1beta1': { PodDisruptionBudget: { apiVersion: 'policy/v1', bring: bringBudget } },
  'rbac.authorization.k8s.io/v1beta1': same('rbac.authorization.k8s.io/v1', ...rbac),
  'scheduling.k8s.io/v1beta1': same('scheduling.k8s.io/v1', 'PriorityClass'),
  'storage.k8s.io/v1beta1': same(
    'storage.k8s.io/v1',
    'CSIDriver',
    'CSINode',
    'CSIStorageCapacity',
    'StorageClass',
    'VolumeAttachment',
  ),
}

/**
 * Selectors defaulted to the template's labels; `defaults` of its spec differed; fields in `gone` are dropped, as they
 * had no effect.
 */
function workload(defaults: JsonObject, gone: readonly string[]): (object: JsonObject) => void {
  return (object) => {
    selectTemplate(object)
    const spec = part(object, 'spec')
    if (!spec) return
    for (const [name, value] of Object.entries(defaults)) if (spec[name] === undefined) spec[name] = value
    for (const name of gone) delete spec[name]
  }
}

function selectTemplate(object: JsonObject): void {
  const spec = part(object, 'spec')
  const labels = spec && part(part(part(spec, 'template'), 'metadata'), 'labels')
  if (spec && labels && spec['selector'] === undefined) spec['selector'] = { matchLabels: { ...labels } }
}

/** An empty selector matched nothing, and matches everything now. */
function bringBudget(object: JsonObject): void {
  const selector = part(part(object, 'spec'), 'selector')
  if (selector && Object.keys(selector).length === 0)
    selector['matchExpressions'] = [
      { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' },
    ]
}

function bringIngress(object: JsonObject): void {
  const spec = part(object, 'spec')
  if (!spec) return
  if (spec['backend'] !== undefined) spec['defaultBackend'] = backendOf(spec['backend'])
  delete spec['backend']
  for (const rule of listOf(spec['rules']))
    for (const path of listOf(part(rule, 'http')?.['paths'])) {
      if (path['backend'] !== undefined) path['backend'] = backendOf(path['backend'])
      path['pathType'] ??= 'ImplementationSpecific'
    }
}

/** `serviceName` and `servicePort` were fields of the backend itself. */
function backendOf(backend: JsonValue): JsonValue {
  if (!isRecord(backend)) return backend
  const { serviceName, servicePort, ...rest } = backend
  if (serviceName === undefined && servicePort === undefined) return backend
  const port = typeof servicePort === 'number' ? { number: servicePort } : { name: servicePort ?? '' }
  return { ...rest, service: { name: serviceName ?? '', ...(servicePort === undefined ? {} : { port }) } }
}

function part(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name]
  return isRecord(value) ? value : undefined
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : []
}
