import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  copyObject,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldErrors,
} from '../../../object/index.ts'
import type { KindContext } from '../../definition.ts'
import { qosClassOf } from './qos.ts'
import { assign } from './update.ts'
import { checkPod, podPaths as path, specOf, statusOf } from './validate.ts'

const changeable = ['cpu', 'memory'] as const
const parts = ['requests', 'limits'] as const

/** `resize`: only amounts of cpu and memory can change. */
export function validateResize(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors = checkPod(object, context)
  const spec = specOf(object)
  const before = specOf(old)
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    errors.push(fieldErrors.forbidden('', 'static pods cannot be resized'))
  if (before.os?.name === 'windows') errors.push(fieldErrors.forbidden('', 'windows pods cannot be resized'))
  if (before.resources && !context.gate('InPlacePodLevelResourcesVerticalScaling'))
    errors.push(fieldErrors.forbidden('', podLevelOff))
  if (errors.length > 0 || !checkSameContainers(errors, spec, before)) return errors
  if (qosClassOf(spec) !== qosClassOf(before)) {
    const why = 'Pod QOS Class may not change as a result of resizing'
    errors.push(fieldErrors.invalid(path.spec, qosClassOf(spec), why))
  }
  if (!canResize(statusOf(old)))
    errors.push(fieldErrors.forbidden(path.spec, 'Pod running on node without support for resize'))
  for (const list of ['containers', 'initContainers'] as const) checkNothingRemoved(errors, spec, before, list)
  checkPodLevel(errors, spec, before)
  checkInitContainers(errors, spec, before, context)
  if (!deepEqual(withoutAmounts(spec, before), before))
    errors.push(fieldErrors.forbidden(path.spec, 'only cpu and memory resources are mutable'))
  return errors
}

const podLevelOff =
  'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled'

/** Kubelets that can resize report the resources of what runs. */
function canResize({ containerStatuses = [] }: core.PodStatus): boolean {
  const running = containerStatuses.find(({ state }) => state?.running)
  return running === undefined || running.resources !== undefined
}

function checkSameContainers(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): boolean {
  for (const list of ['containers', 'initContainers'] as const) {
    const at = path.spec.child(list)
    if ((spec[list]?.length ?? 0) !== (before[list]?.length ?? 0)) {
      errors.push(fieldErrors.forbidden(at, `${list} may not be added or removed on resize`))
      return false
    }
    spec[list]?.forEach((container, index) => {
      if (container.name !== before[list]?.[index]?.name)
        errors.push(
          fieldErrors.forbidden(at.index(index).child('name'), `${list} may not be renamed or reordered on resize`),
        )
    })
  }
  return errors.length === 0
}

function checkNothingRemoved(
  errors: FieldError[],
  spec: core.PodSpec,
  before: core.PodSpec,
  list: 'containers' | 'initContainers',
): void {
  before[list]?.forEach((container, index) => {
    const at = path.spec.child(list).index(index).child('resources')
    checkAmountsKept(errors, spec[list]?.[index]?.resources, container.resources, 'resource', at)
  })
}

function checkPodLevel(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): void {
  const at = path.spec.child('resources')
  if (before.resources && !spec.resources)
    errors.push(fieldErrors.forbidden(at, 'pod-level resources cannot be removed'))
  else checkAmountsKept(errors, spec.resources, before.resources, 'pod-level resource', at)
  if (!deepEqual(withAmountsOf(spec.resources, before.resources), before.resources))
    errors.push(fieldErrors.forbidden(path.spec, 'only cpu and memory resources are mutable at pod-level'))
}

function checkAmountsKept(
  errors: FieldError[],
  resources: core.ResourceRequirements | undefined,
  before: core.ResourceRequirements | undefined,
  noun: string,
  at: FieldPath,
): void {
  for (const part of parts) {
    const has = resources?.[part] ?? {}
    if (Object.keys(before?.[part] ?? {}).some((name) => !(name in has)))
      errors.push(fieldErrors.forbidden(at.child(part), `${noun} ${part} cannot be removed`))
  }
}

/** Init containers that end before the others begin. */
function checkInitContainers(
  errors: FieldError[],
  spec: core.PodSpec,
  before: core.PodSpec,
  { gate }: KindContext,
): void {
  before.initContainers?.forEach((was, index) => {
    if (was.restartPolicy === 'Always' || deepEqual(spec.initContainers?.[index]?.resources ?? {}, was.resources ?? {}))
      return
    if (!gate('InPlacePodVerticalScalingInitContainers'))
      errors.push(fieldErrors.forbidden(path.spec, 'resources for non-sidecar init containers are immutable'))
    else if (spec.initContainers?.[index]?.resizePolicy?.some(restarts)) {
      const why = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'
      errors.push(fieldErrors.forbidden(path.spec.child('initContainers').index(index), why))
    }
  })
}

function restarts({ restartPolicy }: core.ContainerResizePolicy): boolean {
  return restartPolicy === 'RestartContainer'
}

/** The new spec with the amounts restored that a resize may change. */
function withoutAmounts(spec: core.PodSpec, before: core.PodSpec): core.PodSpec {
  const copy = copyObject(spec)
  for (const list of ['containers', 'initContainers'] as const)
    copy[list]?.forEach((container, index) => {
      const was = before[list]?.[index]
      assign(container, 'resizePolicy', was?.resizePolicy)
      assign(container, 'resources', withAmountsOf(container.resources, was?.resources))
    })
  assign(copy, 'resources', before.resources)
  return copy
}

/** Resources with the amounts of cpu and memory that there were. */
function withAmountsOf(
  now: core.ResourceRequirements | undefined,
  was: core.ResourceRequirements | undefined,
): core.ResourceRequirements | undefined {
  const resources = copyObject(now ?? {})
  for (const part of parts) {
    for (const name of changeable) {
      const amount = was?.[part]?.[name]
      if (amount !== undefined) resources[part] = { ...resources[part], [name]: amount }
      else delete resources[part]?.[name]
    }
    if (resources[part] && Object.keys(resources[part]).length === 0 && was?.[part] === undefined)
      delete resources[part]
  }
  return Object.keys(resources).length === 0 && was === undefined ? undefined : resources
}
