import type { ApiObject, Frozen, OwnerReference } from '../../../lib/object/index.ts'

import { targetMilli } from './metricsserver.ts'

/** Objects as users write them: the parts that matter. */

interface Template {
  readonly image: string
  readonly annotations?: Readonly<Record<string, string>>
}

function templateOf(app: string, { image, annotations = {} }: Template, spec: object = {}) {
  return {
    metadata: { labels: { app }, annotations },
    spec: { containers: [{ name: 'c', image }], terminationGracePeriodSeconds: 5, ...spec },
  }
}

function made(apiVersion: string, kind: string, metadata: object, rest: object): Frozen<ApiObject> {
  return { apiVersion, kind, metadata, ...rest } as Frozen<ApiObject>
}

export function deployment(namespace: string, name: string, replicas: number, template: Template, spec: object) {
  return made(
    'apps/v1',
    'Deployment',
    { namespace, name },
    {
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: templateOf(name, template),
        revisionHistoryLimit: 2,
        ...spec,
      },
    },
  )
}

export function replicaset(namespace: string, name: string, replicas: number, template: Template) {
  return made(
    'apps/v1',
    'ReplicaSet',
    { namespace, name },
    {
      spec: { replicas, selector: { matchLabels: { app: name } }, template: templateOf(name, template) },
    },
  )
}

export function replicationcontroller(namespace: string, name: string, replicas: number, template: Template) {
  return made(
    'v1',
    'ReplicationController',
    { namespace, name },
    {
      spec: { replicas, selector: { app: name }, template: templateOf(name, template) },
    },
  )
}

export function statefulset(namespace: string, name: string, replicas: number, template: Template, spec: object) {
  return made(
    'apps/v1',
    'StatefulSet',
    { namespace, name },
    {
      spec: {
        replicas,
        serviceName: name,
        selector: { matchLabels: { app: name } },
        template: templateOf(name, template),
        revisionHistoryLimit: 2,
        ...spec,
      },
    },
  )
}

export function daemonset(namespace: string, name: string, template: Template, spec: object) {
  return made(
    'apps/v1',
    'DaemonSet',
    { namespace, name },
    {
      spec: {
        selector: { matchLabels: { app: name } },
        template: templateOf(name, template),
        revisionHistoryLimit: 2,
        ...spec,
      },
    },
  )
}

export function job(namespace: string, name: string, template: Template, spec: object) {
  return made('batch/v1', 'Job', { namespace, name }, { spec: jobSpec(name, template, spec) })
}

function jobSpec(app: string, template: Template, spec: object) {
  return { template: templateOf(app, template, { restartPolicy: 'Never' }), ...spec }
}

export function cronjob(namespace: string, name: string, template: Template, spec: object) {
  return made(
    'batch/v1',
    'CronJob',
    { namespace, name },
    {
      spec: {
        schedule: '* * * * *',
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: { spec: jobSpec(name, template, {}) },
        ...spec,
      },
    },
  )
}

export function budget(namespace: string, name: string, app: string, spec: object) {
  return made(
    'policy/v1',
    'PodDisruptionBudget',
    { namespace, name },
    {
      spec: { selector: { matchLabels: { app } }, ...spec },
    },
  )
}

export function service(namespace: string, app: string) {
  return made(
    'v1',
    'Service',
    { namespace, name: app },
    {
      spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    },
  )
}

export function quota(namespace: string, name: string, hard: object) {
  return made('v1', 'ResourceQuota', { namespace, name }, { spec: { hard } })
}

/** Names the account that a secret's token is for. */
export const accountAnnotation = 'kubernetes.io/service-account.name'

export function account(namespace: string, name: string) {
  return made('v1', 'ServiceAccount', { namespace, name }, {})
}

export function tokenSecret(namespace: string, name: string, of: string) {
  const metadata = { namespace, name, annotations: { [accountAnnotation]: of } }
  return made('v1', 'Secret', metadata, { type: 'kubernetes.io/service-account-token' })
}

export function password(namespace: string, name: string, text: string) {
  return made('v1', 'Secret', { namespace, name }, { data: { password: Buffer.from(text).toString('base64') } })
}

/** Of the deployment of that name. */
export function autoscaler(namespace: string, name: string, bounds: object) {
  const target = { type: 'AverageValue', averageValue: `${targetMilli}m` }
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    ...bounds,
  }
  return made('autoscaling/v2', 'HorizontalPodAutoscaler', { namespace, name }, { spec })
}

export function configmap(namespace: string, name: string, ownerReferences: readonly OwnerReference[]) {
  return made('v1', 'ConfigMap', { namespace, name, ownerReferences }, { data: { a: name } })
}

export function volume(name: string) {
  return made(
    'v1',
    'PersistentVolume',
    { name },
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'by-hand',
        hostPath: { path: `/volumes/${name}` },
      },
    },
  )
}

export function claimSpec() {
  return {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'by-hand',
    resources: { requests: { storage: '1Gi' } },
  }
}

export function namespaceOf(name: string) {
  return made('v1', 'Namespace', { name }, {})
}
