import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'
import { isReady, readyCondition } from '../shared/podstate.ts'

/** A metric of one pod. */
export interface Sample {
  /** In thousandths. */
  readonly milli: number
  readonly atMs: number
  /** The time over which it was measured, up to `atMs`. */
  readonly windowMs: number
}

export type Samples = ReadonlyMap<string, Sample>

/** How far a ratio may deviate from 1 in each direction without a change; inclusive. */
export interface Tolerances {
  readonly up: number
  readonly down: number
}

export interface PodDelays {
  readonly cpuInitializationMs: number
  readonly initialReadinessMs: number
}

interface Groups {
  /** Pods whose samples count. */
  readonly ready: number
  readonly unready: readonly string[]
  readonly missing: readonly string[]
  readonly counted: ReadonlyMap<string, number>
}

/** Thrown: the number can't be computed. */
export class NotComputable extends Error {}

export interface Computed {
  readonly replicas: number
  /** Over all pods with a sample, in percent of what they request. */
  readonly utilization?: number
  /** A pod, in thousandths. */
  readonly averageMilli: number
}

interface Given {
  readonly current: number
  readonly pods: readonly Frozen<Pod>[]
  readonly samples: Samples
  readonly tolerances: Tolerances
  /** Set for CPU, whose usage is higher while pods start. */
  readonly delays: PodDelays | undefined
  readonly nowMs: number
}

/** `requests`: what each pod requests, in thousandths. `target`: percent of that. */
export function replicasByUtilization(given: Given, requests: ReadonlyMap<string, number>, target: number): Computed {
  const groups = groupPods(given)
  const measure = (
    values: ReadonlyMap<string, number>,
  ): { ratio: number; utilization: number; averageMilli: number } => {
    let [used, requested] = [0, 0]
    for (const [name, value] of values) {
      const request = requests.get(name)
      if (request === undefined) continue
      used += value
      requested += request
    }
    if (requested === 0) throw new NotComputable('no metrics returned matched known pods')
    const utilization = Math.trunc((used * 100) / requested)
    return { ratio: utilization / target, utilization, averageMilli: Math.trunc(used / values.size) }
  }
  const { utilization, averageMilli } = measure(groups.counted)
  const replicas = rescaled(given, groups, (values) => measure(values).ratio, {
    // Against fewer pods, a pod without a sample counts as using its whole request.
    missingDown: (name) => (Math.max(100, target) * (requests.get(name) ?? 0)) / 100,
  })
  return { replicas, utilization, averageMilli }
}

/** `targetMilli`: of each pod. */
export function replicasByAverage(given: Given, targetMilli: number): Computed {
  const groups = groupPods(given)
  const average = (values: ReadonlyMap<string, number>): number =>
    Math.trunc([...values.values()].reduce((sum, value) => sum + value, 0) / values.size)
  const replicas = rescaled(given, groups, (values) => average(values) / targetMilli, {
    missingDown: () => targetMilli,
  })
  return { replicas, averageMilli: average(groups.counted) }
}

/** For a metric of an object other than the pods, and its target value. */
export function replicasByValue(
  { current, pods, tolerances }: Pick<Given, 'current' | 'pods' | 'tolerances'>,
  usageMilli: number,
  targetMilli: number,
): number {
  const ratio = usageMilli / targetMilli
  if (current === 0) return Math.ceil(ratio)
  if (isTolerated(ratio, tolerances)) return current
  const ready = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && isReady(pod)).length
  return Math.ceil(ratio * ready)
}

/** As `replicasByValue`, for a target value per pod. */
export function replicasByShare(
  { statusReplicas, tolerances }: { readonly statusReplicas: number; readonly tolerances: Tolerances },
  usageMilli: number,
  targetMilli: number,
): Computed {
  const ratio = usageMilli / (targetMilli * statusReplicas)
  const replicas = isTolerated(ratio, tolerances) ? statusReplicas : Math.ceil(usageMilli / targetMilli)
  return { replicas, averageMilli: Math.ceil(usageMilli / statusReplicas) }
}

function groupPods({ pods, samples, delays, nowMs }: Given): Groups {
  if (pods.length === 0) throw new NotComputable('no pods returned by selector while calculating replica count')
  const unready: string[] = []
  const missing: string[] = []
  const counted = new Map<string, number>()
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    if (deletionTimestamp !== undefined || pod.status.phase === 'Failed') continue
    const sample = samples.get(name)
    if (pod.status.phase === 'Pending') unready.push(name)
    else if (!sample) missing.push(name)
    else if (delays && isStarting(pod, sample, delays, nowMs)) unready.push(name)
    else counted.set(name, sample.milli)
  }
  if (counted.size === 0) throw new NotComputable('did not receive metrics for targeted pods (pods might be unready)')
  return { ready: counted.size, unready, missing, counted }
}

function isStarting(pod: Frozen<Pod>, sample: Sample, delays: PodDelays, nowMs: number): boolean {
  const condition = readyCondition(pod)
  const { startTime } = pod.status
  if (condition === undefined || startTime === undefined) return true
  const startMs = parseTime(startTime)
  const changedMs = condition.lastTransitionTime === undefined ? 0 : parseTime(condition.lastTransitionTime)
  if (startMs + delays.cpuInitializationMs > nowMs)
    return condition.status === 'False' || sample.atMs < changedMs + sample.windowMs
  return condition.status === 'False' && startMs + delays.initialReadinessMs > changedMs
}

/** Pods without a sample and starting pods count only against a change; they never reverse its direction. */
function rescaled(
  { current, tolerances }: Given,
  { ready, unready, missing, counted }: Groups,
  ratioOf: (values: ReadonlyMap<string, number>) => number,
  { missingDown }: { missingDown(name: string): number },
): number {
  const ratio = ratioOf(counted)
  const growsWithUnready = unready.length > 0 && ratio > 1
  if (!growsWithUnready && missing.length === 0)
    return isTolerated(ratio, tolerances) ? current : Math.ceil(ratio * ready)
  const values = new Map(counted)
  if (ratio < 1) for (const name of missing) values.set(name, missingDown(name))
  if (ratio > 1) for (const name of missing) values.set(name, 0)
  if (growsWithUnready) for (const name of unready) values.set(name, 0)
  const careful = ratioOf(values)
  const turns = (ratio < 1 && careful > 1) || (ratio > 1 && careful < 1)
  if (turns || isTolerated(careful, tolerances)) return current
  const replicas = Math.ceil(careful * values.size)
  if ((careful < 1 && replicas > current) || (careful > 1 && replicas < current)) return current
  return replicas
}

function isTolerated(ratio: number, { up, down }: Tolerances): boolean {
  return ratio >= 1 - down && ratio <= 1 + up
}
