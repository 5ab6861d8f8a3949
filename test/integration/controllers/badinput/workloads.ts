import { resources } from '../../../../api/gen/resources.ts'
import { formatTime } from '../../../../lib/object/index.ts'
import {
  cronjob,
  job,
  keepsPods,
  quota,
  refused,
  statusOf,
  strayed,
  takesPods,
  template,
  unreadable,
  workload,
} from './objects.ts'
import type { Row, RowWorld } from './row.ts'

const missesTemplate = /`selector` does not match template `labels`/
const nobody = /forbidden: no PriorityClass with name nobody was found/
const overQuota = /exceeded quota: few, requested: \S+=1, used: \S+=[01], limited: \S+=[01]/

const noPods = async ({ list }: RowWorld): Promise<boolean> => (await list('Pod', 'app!=well,app!=stray')).length === 0

/** What ReplicaSets, ReplicationControllers, StatefulSets and DaemonSets have in common. */
function common(kind: string): Record<string, Row> {
  const tells = kind === 'ReplicaSet' || kind === 'ReplicationController'
  const failed = (says: RegExp): Pick<Row, 'conditions'> =>
    tells ? { conditions: [['ReplicaFailure', 'True', 'FailedCreate', says]] } : {}
  const rows: Record<string, Row> = {
    [`a ${kind} whose selector misses its own template`]: {
      stored: [strayed(kind)],
      events: [[kind, 'FailedCreate', missesTemplate]],
      ...failed(missesTemplate),
      holds: noPods,
      sibling: (world) => keepsPods(world, kind),
    },
    [`a ${kind} whose pods are refused`]: {
      made: [workload(kind, 'bad', { template: template('bad', refused) })],
      events: [[kind, 'FailedCreate', nobody]],
      ...failed(nobody),
      holds: noPods,
      sibling: (world) => keepsPods(world, kind),
    },
    [`a ${kind} beyond its quota`]: {
      made: [workload(kind, 'bad'), quota({ pods: '0' })],
      events: [[kind, 'FailedCreate', overQuota]],
      ...failed(overQuota),
      holds: noPods,
    },
  }
  if (kind === 'ReplicationController') return rows
  return {
    ...rows,
    [`a ${kind} whose selector can't be read`]: {
      stored: [workload(kind, 'bad', { selector: unreadable })],
      holds: noPods,
      sibling: (world) => (kind === 'ReplicaSet' ? takesPods(world, kind) : keepsPods(world, kind)),
    },
  }
}

const longName = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`

export const workloadRows: Readonly<Record<string, Row>> = {
  ...common('ReplicaSet'),
  ...common('ReplicationController'),
  ...common('StatefulSet'),
  ...common('DaemonSet'),
  'a ReplicaSet whose name leaves no room for its pods': {
    made: [workload('ReplicaSet', longName)],
    events: [['ReplicaSet', 'SuccessfulCreate', /^Created pod: a{58}/]],
    sibling: (world) => keepsPods(world, 'ReplicaSet'),
  },
  'a ReplicationController without a template': {
    stored: [
      {
        apiVersion: 'v1',
        kind: 'ReplicationController',
        metadata: { name: 'bad' },
        spec: { replicas: 1, selector: { app: 'bad' } },
      },
    ],
    conditions: [['ReplicaFailure', 'True', 'FailedCreate', /unable to create pods, no labels/]],
    holds: noPods,
  },
  'a DaemonSet that selects all pods': {
    stored: [workload('DaemonSet', 'bad', { selector: {} })],
    events: [
      ['DaemonSet', 'SelectingAll', /^This daemon set is selecting all pods\. A non-empty selector is required\.$/],
    ],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'DaemonSet'),
  },
  'a StatefulSet whose claims are refused': {
    stored: [
      workload('StatefulSet', 'bad', {
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } }],
      }),
    ],
    events: [
      [
        'StatefulSet',
        'FailedCreate',
        /^create Claim data-bad-0 for Pod bad-0 in StatefulSet bad failed error: .*accessModes/s,
      ],
    ],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'StatefulSet'),
  },
  'a StatefulSet whose name leaves no room for its pods': {
    made: [workload('StatefulSet', 'x'.repeat(63))],
    events: [['StatefulSet', 'FailedCreate', /create Pod x{63}-0 in StatefulSet x{63} failed error/]],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'StatefulSet'),
  },
  'a Deployment whose selector misses its own template': {
    stored: [strayed('Deployment')],
    events: [['Deployment', 'ReplicaSetCreateError', missesTemplate]],
    conditions: [['Progressing', 'False', 'ReplicaSetCreateError', missesTemplate]],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'Deployment'),
  },
  "a Deployment whose selector can't be read": {
    stored: [workload('Deployment', 'bad', { selector: unreadable })],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'Deployment'),
  },
  'a Deployment beyond its quota': {
    made: [workload('Deployment', 'bad'), quota({ 'count/replicasets.apps': '0' })],
    events: [['Deployment', 'ReplicaSetCreateError', overQuota]],
    conditions: [['Progressing', 'False', 'ReplicaSetCreateError', overQuota]],
    holds: noPods,
  },
  'a Deployment whose pods are refused': {
    made: [workload('Deployment', 'bad', { template: template('bad', refused) })],
    events: [['ReplicaSet', 'FailedCreate', nobody]],
    conditions: [['ReplicaFailure', 'True', 'FailedCreate', nobody]],
    holds: noPods,
    sibling: (world) => keepsPods(world, 'Deployment'),
  },
  'a Deployment whose name leaves no room for the hash of its sets': {
    made: [workload('Deployment', longName)],
    events: [
      [
        'Deployment',
        'ScalingReplicaSet',
        /^Scaled up replica set a{60}\.b{60}\.c{60}\.d{50,60}-[a-z0-9]+ from 0 to 1$/,
      ],
    ],
    sibling: (world) => keepsPods(world, 'Deployment'),
  },
  'a Job whose selector misses its own template': {
    stored: [job('bad', { manualSelector: true, selector: { matchLabels: { app: 'elsewhere' } } })],
    events: [['Job', 'FailedCreate', missesTemplate]],
    holds: noPods,
    sibling: runsJobs,
  },
  "a Job whose selector can't be read": {
    stored: [job('bad', { manualSelector: true, selector: unreadable })],
    holds: noPods,
    sibling: runsJobs,
  },
  'a Job whose pods are refused': {
    made: [job('bad', {}, refused)],
    events: [['Job', 'FailedCreate', nobody]],
    holds: noPods,
    sibling: runsJobs,
  },
  'a Job beyond its quota': {
    made: [job('bad'), quota({ pods: '0' })],
    events: [['Job', 'FailedCreate', overQuota]],
    holds: noPods,
  },
  'a Job of an unknown completion mode': {
    stored: [job('bad', { completionMode: 'Sometimes', selector: { matchLabels: { app: 'bad' } } })],
    events: [['Job', 'UnknownCompletionMode', /^Skipped Job sync because completion mode is unknown$/]],
    holds: noPods,
    sibling: runsJobs,
  },
  'a CronJob whose schedule makes no sense': {
    stored: [cronjob('bad', { schedule: 'every full moon' })],
    events: [['CronJob', 'UnparseableSchedule', /^unparseable schedule: "every full moon" : /]],
    holds: noJobs,
    sibling: startsJobs,
  },
  'a CronJob of an unknown time zone': {
    stored: [cronjob('bad', { timeZone: 'Moon/Tranquility' })],
    events: [['CronJob', 'UnknownTimeZone', /^invalid timeZone: "Moon\/Tranquility": /]],
    holds: noJobs,
    sibling: startsJobs,
  },
  'a CronJob whose jobs are refused': {
    stored: [cronjob('bad', {}, { restartPolicy: 'Perhaps' })],
    events: [['CronJob', 'FailedCreate', /^Error creating job: Job\.batch "bad-\d+" is invalid: .*restartPolicy/]],
    holds: noJobs,
    sibling: startsJobs,
  },
  'a CronJob whose name leaves no room for its jobs': {
    stored: [cronjob('x'.repeat(60))],
    events: [['CronJob', 'FailedCreate', /must be no more than 63/]],
    holds: noJobs,
    sibling: startsJobs,
  },
  'a CronJob beyond its quota': {
    stored: [cronjob('bad')],
    made: [quota({ 'count/jobs.batch': '0' })],
    events: [['CronJob', 'FailedCreate', overQuota]],
    holds: noJobs,
  },
}

async function noJobs({ list }: RowWorld): Promise<boolean> {
  return (await list('Job')).every(({ metadata }) => metadata.name.startsWith('well'))
}

async function runsJobs({ create, list, get, soon }: RowWorld): Promise<void> {
  await create(job('well'))
  await soon(async () => (await list('Pod', 'app=well')).length === 1, 'the pod of the healthy job')
  await soon(async () => statusOf(await get('Job', 'well'))['active'] === 1, 'the status of the healthy job')
}

/** A run that is due since a minute ago: the next one is too far away for a test. */
async function startsJobs({ create, list, soon, client, namespace }: RowWorld): Promise<void> {
  await create(cronjob('well', { suspend: true }))
  const all = client.resource(resources.batch.v1.cronjobs)
  const lastScheduleTime = formatTime(Date.now() - 120_000)
  await all.patchStatus({ namespace, name: 'well' }, 'merge', { status: { lastScheduleTime } })
  await all.patch({ namespace, name: 'well' }, 'merge', { spec: { suspend: false } })
  await soon(async () => (await list('Job')).some(({ metadata }) => metadata.name.startsWith('well-')), 'a healthy job')
}
