import type { Job } from '../../../api/gen/batch/v1.ts'
import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime, secondsToMs } from '../../object/index.ts'
import { createdMs } from '../shared/creationtime.ts'
import { podFromTemplate } from '../shared/podcontrol.ts'
import { readyCondition } from '../shared/podstate.ts'

export type SomeJob = Frozen<Job>
export type SomePod = Frozen<Pod>

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
const indexName = 'batch.kubernetes.io/job-completion-index'
const failuresName = 'batch.kubernetes.io/job-index-failure-count'
const ignoredName = 'batch.kubernetes.io/job-index-ignored-failure-count'
const prefixCharactersMax = 58

/** Numbers of earlier failures of a completion index, counted and ignored ones. */
export interface IndexFailures {
  readonly counted: number
  readonly ignored: number
}

export function isTracked({ metadata }: SomePod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false
}

/** Undefined where the annotation is not an index. */
export function indexOf({ metadata }: SomePod): number | undefined {
  const text = metadata.annotations?.[indexName]
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

export function failuresOf({ metadata }: SomePod): IndexFailures {
  const count = (name: string): number => {
    const text = metadata.annotations?.[name]
    return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : 0
  }
  return { counted: count(failuresName), ignored: count(ignoredName) }
}

/** A new pod of the job; for an indexed job, the pod of one index. */
export function podOf(job: SomeJob, index?: number, failures?: IndexFailures): SomePod {
  const pod = podFromTemplate(job, job.spec.template)
  const { metadata } = pod
  const finalizers = [...(metadata.finalizers ?? []), trackingFinalizer]
  if (index === undefined) return { ...pod, metadata: { ...metadata, finalizers } }
  const name = job.metadata.name ?? ''
  const suffix = `-${index}-`
  const annotations = {
    ...metadata.annotations,
    [indexName]: String(index),
    ...(failures ? { [failuresName]: String(failures.counted) } : {}),
    ...(failures && failures.ignored > 0 ? { [ignoredName]: String(failures.ignored) } : {}),
  }
  return {
    ...pod,
    metadata: {
      ...metadata,
      finalizers,
      annotations,
      generateName: `${name.slice(0, prefixCharactersMax - suffix.length)}${suffix}`,
      labels: { ...metadata.labels, [indexName]: String(index) },
    },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      initContainers: pod.spec.initContainers?.map(withIndex),
      containers: pod.spec.containers?.map(withIndex),
    },
  }
}

function withIndex(container: Frozen<Container>): Frozen<Container> {
  const name = 'JOB_COMPLETION_INDEX'
  if (container.env?.some((each) => each.name === name)) return container
  const fieldRef = { fieldPath: `metadata.labels['${indexName}']` }
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef } }] }
}

/** When a pod finished: by its containers' statuses, else by its Ready condition or its deletion. */
export function finishedMs(pod: SomePod): number {
  let last: number | undefined
  const statuses = pod.status.containerStatuses ?? []
  for (const { state } of statuses) {
    const at = state.terminated?.finishedAt
    if (at === undefined) {
      last = undefined
      break
    }
    last = Math.max(last ?? 0, parseTime(at))
  }
  if (last !== undefined) return last
  const ready = readyCondition(pod)
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined) return parseTime(ready.lastTransitionTime)
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
  if (deletionTimestamp !== undefined) return parseTime(deletionTimestamp) - secondsToMs(deletionGracePeriodSeconds)
  return createdMs(pod)
}

export function sumOf({ counted, ignored }: IndexFailures): number {
  return counted + ignored
}
