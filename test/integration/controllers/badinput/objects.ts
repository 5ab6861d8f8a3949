import type { Loose, RowWorld } from './row.ts'

/** A selector with an operator that there is not. */
export const unreadable = { matchExpressions: [{ key: 'app', operator: 'Resembles', values: ['a'] }] }

export function template(app: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } }
}

/** A template that the server refuses to make pods of. */
export const refused = { priorityClassName: 'nobody' }

export function workload(kind: string, name: string, spec: object = {}): Loose {
  const app = name.slice(0, 40)
  return {
    apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas: 1 }),
      ...(kind === 'StatefulSet' ? { serviceName: 'web', podManagementPolicy: 'Parallel' } : {}),
      selector: kind === 'ReplicationController' ? { app } : { matchLabels: { app } },
      template: template(app),
      ...spec,
    },
  }
}

/** A workload whose selector misses the pods of its own template. */
export function strayed(kind: string, spec: object = {}): Loose {
  const app = 'elsewhere'
  const selector = kind === 'ReplicationController' ? { app } : { matchLabels: { app } }
  return workload(kind, 'bad', { selector, ...spec })
}

export function job(name: string, spec: object = {}, pod: object = {}): Loose {
  const restartPolicy = 'Never'
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: template(name, { restartPolicy, ...pod }), ...spec },
  }
}

export function cronjob(name: string, spec: object = {}, pod: object = {}): Loose {
  const { spec: jobSpec } = job('a', {}, pod)
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule: '* * * * *', concurrencyPolicy: 'Allow', jobTemplate: { spec: jobSpec }, ...spec },
  }
}

export function quota(hard: object): Loose {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few' },
    spec: { hard },
    status: { hard, used: none(hard) },
  }
}

function none(hard: object): object {
  return Object.fromEntries(Object.keys(hard).map((name) => [name, '0']))
}

function pod(name: string, labels: object, more: object = {}, metadata: object = {}): Loose {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    ...more,
  }
}

/** A healthy workload has its pod, and learns of one that it is to take. */
export async function keepsPods(world: RowWorld, kind: string): Promise<void> {
  await world.create(workload(kind, 'well'))
  const pods = async (): Promise<readonly Loose[]> => await world.list('Pod', 'app=well')
  await world.soon(async () => (await pods()).length === 1, `the pod of the healthy ${kind}`)
}

/** Besides, it notices pods that nothing controls. */
export async function takesPods(world: RowWorld, kind: string): Promise<void> {
  await keepsPods(world, kind)
  const knowsItsPod = async (): Promise<boolean> => statusOf(await world.get(kind, 'well'))['replicas'] === 1
  await world.soon(knowsItsPod, `the status of the healthy ${kind}`)
  await world.create(pod('stray', { app: 'well' }))
  const isTaken = async (): Promise<boolean> => {
    const stray = await world.get('Pod', 'stray')
    return stray === undefined || JSON.stringify(stray.metadata).includes('ownerReferences')
  }
  await world.soon(isTaken, `the end of a pod that the healthy ${kind} does not need`)
}

/** Every condition of an object. */
export function statusOf(object: Loose | undefined): Readonly<Record<string, unknown>> {
  return (object?.['status'] ?? {}) as Readonly<Record<string, unknown>>
}
