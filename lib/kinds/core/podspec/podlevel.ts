import type * as core from '../../../../api/gen/core/v1.ts'
import {
  addQuantities,
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
} from '../../../object/index.ts'
import { checkResourceName, checkResourceRequirements, isHugePages } from './resources.ts'

type List = 'limits' | 'requests'
type Amounts = Readonly<Record<string, string>>

/** Resources that a pod may state for all of its containers together, as errors name them. */
const podLevel = ['cpu', 'hugepages-', 'memory'] as const

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePages(resource)
}

/**
 * The sum of the containers' amounts and of those of sidecars, or what one init container takes while it runs beside the
 * sidecars before it, whichever is more.
 */
function sumOfContainers(spec: core.PodSpec, list: List): Map<string, string> {
  const sums = new Map<string, string>()
  const sidecars = new Map<string, string>()
  const most = new Map<string, string>()
  for (const { resources } of spec.containers ?? []) addAll(sums, resources?.[list])
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const beside = new Map(sidecars)
    addAll(beside, resources?.[list])
    if (restartPolicy === 'Always') {
      addAll(sums, resources?.[list])
      addAll(sidecars, resources?.[list])
    }
    raise(most, beside)
  }
  raise(sums, most)
  return sums
}

function addAll(sums: Map<string, string>, amounts: Amounts = {}): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const sum = sums.get(name)
    sums.set(name, sum === undefined ? amount : addQuantities(sum, amount))
  }
}

function raise(most: Map<string, string>, amounts: ReadonlyMap<string, string>): void {
  for (const [name, amount] of amounts) {
    const known = most.get(name)
    if (known === undefined || compareQuantities(amount, known) > 0) most.set(name, amount)
  }
}

/** `claims`: names of the pod's resource claims. */
export function checkPodResources(
  errors: FieldError[],
  spec: core.PodSpec,
  claims: ReadonlySet<string>,
  path: FieldPath,
): void {
  const { resources } = spec
  if (!resources) return
  const at = path.child('resources')
  if (spec.os?.name === 'windows') errors.push(fieldErrors.forbidden(at, 'may not be set for a windows pod'))
  if (resources.claims)
    errors.push(fieldErrors.forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level'))
  checkResourceRequirements(errors, resources, claims, at, checkPodResourceName)
  checkAgainstSums(errors, spec, resources, at)
  checkContainerLimits(errors, spec, resources.limits ?? {}, path)
}

function checkPodResourceName(errors: FieldError[], name: string, path: FieldPath): void {
  if (checkResourceName(errors, name, path) && !isPodLevel(name))
    errors.push(fieldErrors.notSupported(path, name, podLevel))
}

/** The pod as a whole takes no less than its containers together; limits count where they can't be overcommitted. */
function checkAgainstSums(
  errors: FieldError[],
  spec: core.PodSpec,
  resources: core.ResourceRequirements,
  path: FieldPath,
): void {
  for (const list of ['requests', 'limits'] as const)
    for (const [name, sum] of sumOfContainers(spec, list)) {
      const amount = resources[list]?.[name]
      if (amount === undefined || !isPodLevel(name) || (list === 'limits' && !isHugePages(name))) continue
      if (compareQuantities(sum, amount) <= 0) continue
      const why = `must be greater than or equal to aggregate container ${list} of ${sum}`
      errors.push(fieldErrors.invalid(path.child(list).key(name), amount, why))
    }
}

function checkContainerLimits(errors: FieldError[], spec: core.PodSpec, limits: Amounts, path: FieldPath): void {
  for (const list of ['containers', 'initContainers'] as const)
    spec[list]?.forEach(({ resources }, index) => {
      for (const [name, amount] of Object.entries(resources?.limits ?? {})) {
        const limit = limits[name]
        if (limit === undefined || compareQuantities(amount, limit) <= 0) continue
        const at = path.child(list).index(index).child('resources').child('limits').key(name)
        errors.push(fieldErrors.invalid(at, amount, `must be less than or equal to pod limits of ${limit}`))
      }
    })
}

/**
 * A pod that states some of its resources states others by them: limits of huge pages as its containers do, requests
 * as its containers do, or else as its own limits are.
 */
export function defaultPodResources(spec: core.PodSpec): void {
  const { resources } = spec
  if (!resources || (isEmpty(resources.limits) && isEmpty(resources.requests))) return
  fill(resources, 'limits', sumOfContainers(spec, 'limits'), isHugePages)
  fill(resources, 'requests', sumOfContainers(spec, 'requests'), (name) => isPodLevel(name) && !isHugePages(name))
  fill(resources, 'requests', Object.entries(resources.limits ?? {}), isPodLevel)
}

function isEmpty(amounts: Amounts = {}): boolean {
  return Object.keys(amounts).length === 0
}

function fill(
  resources: core.ResourceRequirements,
  list: List,
  amounts: Iterable<readonly [name: string, amount: string]>,
  fits: (name: string) => boolean,
): void {
  for (const [name, amount] of amounts)
    if (fits(name) && resources[list]?.[name] === undefined) resources[list] = { ...resources[list], [name]: amount }
}
