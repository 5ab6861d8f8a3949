import type {
  ResourceSpec,
  ScoringStrategy,
  UtilizationShapePoint,
} from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import { scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { PodInfo } from '../podinfo.ts'

export const defaultResources: readonly ResourceSpec[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
]
const defaultStrategy: ScoringStrategy = { type: 'LeastAllocated', resources: [...defaultResources] }
const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio']
/** Points of a shape have scores up to 10. */
const shapeScoreMax = 10

/** As the stock scheduler completes a strategy. */
export function completeStrategy(given: ScoringStrategy | undefined): ScoringStrategy {
  if (given === undefined) return defaultStrategy
  return { ...given, resources: completeResources(given.resources) }
}

export function completeResources(given: readonly ResourceSpec[] | undefined): ResourceSpec[] {
  if (given === undefined || given.length === 0) return [...defaultResources]
  return given.map(({ name, weight }) => ({ name, weight: weight || 1 }))
}

export function strategyProblems(
  { type, resources = [], requestedToCapacityRatio }: ScoringStrategy,
  path: FieldPath,
): FieldError[] {
  const isRatio = type === 'RequestedToCapacityRatio'
  const at = path.child('requestedToCapacityRatio')
  return [
    ...(strategies.includes(type ?? '') ? [] : [fieldErrors.notSupported(path.child('type'), type ?? '', strategies)]),
    ...resources.flatMap(({ name, weight = 0 }, index) => {
      const range = `resource weight of ${name} not in valid range (0, 100]`
      const isValid = weight > 0 && weight <= 100
      return isValid ? [] : [fieldErrors.invalid(path.child('resources').index(index).child('weight'), weight, range)]
    }),
    ...(isRatio && requestedToCapacityRatio === undefined
      ? [fieldErrors.required(at, 'must be specified when type is RequestedToCapacityRatio')]
      : []),
    ...(!isRatio && requestedToCapacityRatio !== undefined
      ? [fieldErrors.forbidden(at, 'must be nil when type is not RequestedToCapacityRatio')]
      : []),
    ...(isRatio && requestedToCapacityRatio
      ? shapeProblems(requestedToCapacityRatio.shape ?? [], at.child('shape'))
      : []),
  ]
}

function shapeProblems(shape: readonly UtilizationShapePoint[], path: FieldPath): FieldError[] {
  if (shape.length === 0) return [fieldErrors.required(path, 'at least one point must be specified')]
  const disorder = shape.findIndex(
    ({ utilization }, index) => index > 0 && (shape[index - 1]?.utilization ?? 0) >= utilization,
  )
  const outside = (value: number, most: number): boolean => value < 0 || value > most
  return [
    ...(disorder < 0
      ? []
      : [
          fieldErrors.invalid(
            path.index(disorder).child('utilization'),
            shape[disorder]?.utilization,
            'values must be sorted in increasing order',
          ),
        ]),
    ...shape.flatMap(({ utilization, score }, index) => [
      ...(outside(utilization, 100)
        ? [fieldErrors.invalid(path.index(index).child('utilization'), utilization, 'not in valid range [0, 100]')]
        : []),
      ...(outside(score, shapeScoreMax)
        ? [fieldErrors.invalid(path.index(index).child('score'), score, 'not in valid range [0, 10]')]
        : []),
    ]),
  ]
}

/** How a node with the pod on it is rated by the strategy, from 0 to 100. */
export function strategyScore(strategy: ScoringStrategy = defaultStrategy): (pod: PodInfo, node: NodeInfo) => number {
  const { type, resources = defaultResources, requestedToCapacityRatio } = strategy
  const rate = rates(type, requestedToCapacityRatio?.shape ?? [])
  const onlyPositive = type === 'RequestedToCapacityRatio'
  return (pod, node) => {
    let sum = 0
    let weights = 0
    for (const { name, weight = 1 } of resources) {
      const most = node.allocatable.get(name) ?? 0
      if (most === 0 || !counts(name, pod)) continue
      const score = rate(usedWith(name, pod, node), most)
      if (onlyPositive && score <= 0) continue
      sum += score * weight
      weights += weight
    }
    if (weights === 0) return 0
    return onlyPositive ? Math.round(sum / weights) : Math.floor(sum / weights)
  }
}

/** An extended resource says nothing about pods that don't ask for it. */
function counts(name: string, { requests }: PodInfo): boolean {
  return name === 'cpu' || name === 'memory' || !name.includes('/') || (requests.get(name) ?? 0) > 0
}

function usedWith(name: string, pod: PodInfo, node: NodeInfo): number {
  if (name === 'cpu') return node.scoredCpu + pod.scoredCpu
  if (name === 'memory') return node.scoredMemory + pod.scoredMemory
  return (node.requested.get(name) ?? 0) + (pod.requests.get(name) ?? 0)
}

function rates(
  type: string | undefined,
  shape: readonly UtilizationShapePoint[],
): (used: number, most: number) => number {
  if (type === 'MostAllocated') return (used, most) => (used > most ? 0 : Math.floor((used * scoreMax) / most))
  if (type === 'RequestedToCapacityRatio')
    return (used, most) => onShape(shape, used > most ? 100 : Math.floor((used * 100) / most))
  return (used, most) => (used > most ? 0 : Math.floor(((most - used) * scoreMax) / most))
}

/** The score at this utilization on the line through the points. */
function onShape(shape: readonly UtilizationShapePoint[], utilization: number): number {
  const scale = scoreMax / shapeScoreMax
  let before: UtilizationShapePoint | undefined
  for (const point of shape) {
    if (utilization <= point.utilization) {
      if (!before) return point.score * scale
      const part = (utilization - before.utilization) / (point.utilization - before.utilization)
      return Math.trunc((before.score + (point.score - before.score) * part) * scale)
    }
    before = point
  }
  return (before?.score ?? 0) * scale
}
