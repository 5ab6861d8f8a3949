import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  copyObject,
  deepEqual,
  equalityKey,
  type FieldError,
  fieldErrors,
  jsonText,
} from '../../../object/index.ts'
import type { KindContext } from '../../definition.ts'
import { qosClassOf } from './qos.ts'
import { checkPod, podPaths as path, specOf } from './validate.ts'

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** PUT and PATCH of a pod: nearly all of its spec is fixed. */
export function validatePodUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors = checkPod(object, context)
  const spec = specOf(object)
  const before = specOf(old)
  checkMirrorAnnotation(errors, object, old)
  for (const list of ['containers', 'initContainers'] as const)
    if ((spec[list]?.length ?? 0) !== (before[list]?.length ?? 0)) {
      errors.push(fieldErrors.forbidden(path.spec.child(list), 'pod updates may not add or remove containers'))
      return errors
    }
  checkDeadline(errors, spec, before)
  checkTolerationsOnlyGrow(errors, spec, before)
  checkGatesOnlyShrink(errors, spec, before)
  const gated = (before.schedulingGates?.length ?? 0) > 0
  if (gated) checkGatedScheduling(errors, spec, before)
  if (!deepEqual(withFreeFields(spec, before, gated), before))
    errors.push(fieldErrors.forbidden(path.spec, `${changeable}\n${difference(before, spec)}`))
  return errors
}

function checkMirrorAnnotation(errors: FieldError[], object: ApiObject, old: ApiObject): void {
  const key = 'kubernetes.io/config.mirror'
  const now = object.metadata.annotations?.[key]
  const before = old.metadata.annotations?.[key]
  if (now === before) return
  const why =
    before === undefined ? 'may not add mirror pod annotation' : 'may not remove or update mirror pod annotation'
  errors.push(fieldErrors.forbidden(path.annotations.key(key), why))
}

/** A deadline can be set once, and only be shortened. */
function checkDeadline(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): void {
  const was = before.activeDeadlineSeconds
  const is = spec.activeDeadlineSeconds
  const at = path.spec.child('activeDeadlineSeconds')
  if (was === undefined || is === was) return
  if (is === undefined)
    errors.push(fieldErrors.invalid(at, undefined, 'must not update from a positive integer to nil value'))
  else if (is > was) errors.push(fieldErrors.invalid(at, is, 'must be less than or equal to previous value'))
}

function checkTolerationsOnlyGrow(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): void {
  const keyOf = ({ tolerationSeconds: _, ...rest }: core.Toleration): string => equalityKey(rest)
  const kept = new Set(spec.tolerations?.map(keyOf))
  for (const toleration of before.tolerations ?? [])
    if (!kept.has(keyOf(toleration))) {
      const why = 'existing toleration can not be modified except its tolerationSeconds'
      errors.push(fieldErrors.forbidden(path.spec.child('tolerations'), why))
      return
    }
}

function checkGatesOnlyShrink(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): void {
  const had = new Set(before.schedulingGates?.map(({ name }) => name))
  spec.schedulingGates?.forEach(({ name }, index) => {
    if (had.has(name)) return
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`
    errors.push(fieldErrors.forbidden(path.spec.child('schedulingGates').index(index).child('name'), why))
  })
}

/** While a pod is gated, its node selection can be narrowed. */
function checkGatedScheduling(errors: FieldError[], spec: core.PodSpec, before: core.PodSpec): void {
  const kept = Object.entries(before.nodeSelector ?? {}).every(([key, value]) => spec.nodeSelector?.[key] === value)
  if (!kept) {
    const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
    errors.push(fieldErrors.invalid(path.spec.child('nodeSelector'), spec.nodeSelector ?? {}, why))
  }
  const required = (one: core.PodSpec): readonly core.NodeSelectorTerm[] | undefined =>
    one.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const was = required(before)
  const is = required(spec)
  if (!was?.length) return
  const at = path.spec
    .child('affinity')
    .child('nodeAffinity')
    .child('requiredDuringSchedulingIgnoredDuringExecution')
    .child('nodeSelectorTerms')
  if (is?.length !== was.length) {
    errors.push(fieldErrors.invalid(at, is, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'))
    return
  }
  was.forEach((term, index) => {
    const now = is[index]
    const grows = (list: 'matchExpressions' | 'matchFields'): boolean =>
      deepEqual(now?.[list]?.slice(0, term[list]?.length ?? 0) ?? [], term[list] ?? [])
    if (!grows('matchExpressions') || !grows('matchFields'))
      errors.push(fieldErrors.invalid(at.index(index), now, 'only additions are allowed (no mutations or deletions)'))
  })
}

/** The new spec with all mutable fields restored: it equals the old one unless other fields were changed. */
function withFreeFields(spec: core.PodSpec, before: core.PodSpec, gated: boolean): core.PodSpec {
  const copy = copyObject(spec)
  for (const list of ['containers', 'initContainers'] as const)
    copy[list]?.forEach((container, index) => {
      assign(container, 'image', before[list]?.[index]?.image)
    })
  assign(copy, 'activeDeadlineSeconds', before.activeDeadlineSeconds)
  assign(copy, 'tolerations', before.tolerations)
  assign(copy, 'schedulingGates', before.schedulingGates)
  if (Number(before.terminationGracePeriodSeconds) < 0 && Number(copy.terminationGracePeriodSeconds) === 1)
    assign(copy, 'terminationGracePeriodSeconds', before.terminationGracePeriodSeconds)
  if (gated) {
    assign(copy, 'nodeSelector', before.nodeSelector)
    assign(copy, 'affinity', before.affinity)
  }
  return copy
}

function assign<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key]
  else target[key] = value
}

/** The first lines in which two specs differ, for readers of the error. */
function difference(before: unknown, after: unknown): string {
  const lines = (value: unknown): string[] => jsonText(value, 1).split('\n')
  const [old, now] = [lines(before), lines(after)]
  let start = 0
  while (start < old.length && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old[old.length - 1 - end] === now[now.length - 1 - end])
    end++
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`)
  const added = now.slice(start, now.length - end).map((line) => `+${line}`)
  return [...removed, ...added].slice(0, 40).join('\n')
}

/** `ephemeralcontainers`: ephemeral containers can only be added. */
export function validateEphemeralContainersUpdate(
  object: ApiObject,
  old: ApiObject,
  context: KindContext,
): FieldError[] {
  const errors = checkPod(object, context)
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    errors.push(fieldErrors.forbidden('', 'static pods do not support ephemeral containers'))
  const at = path.spec.child('ephemeralContainers')
  const now = new Map(specOf(object).ephemeralContainers?.map((one) => [one.name, one]))
  for (const before of specOf(old).ephemeralContainers ?? []) {
    const one = now.get(before.name)
    if (!one)
      errors.push(fieldErrors.forbidden(at, `existing ephemeral containers "${before.name}" may not be removed\n`))
    else if (!deepEqual(one, before)) {
      const why = `existing ephemeral containers "${before.name}" may not be changed\n${difference(before, one)}`
      errors.push(fieldErrors.forbidden(at, why))
    }
  }
  return errors
}

/** `resize`: only amounts of cpu and memory can change. */
export function validateResize(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors = checkPod(object, context)
  const spec = specOf(object)
  const before = specOf(old)
  if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    errors.push(fieldErrors.forbidden('', 'static pods cannot be resized'))
  if (before.os?.name === 'windows') errors.push(fieldErrors.forbidden('', 'windows pods cannot be resized'))
  if (errors.length > 0 || !checkSameContainers(errors, spec, before)) return errors
  if (qosClassOf(spec) !== qosClassOf(before))
    errors.push(
      fieldErrors.invalid(path.spec, qosClassOf(spec), 'Pod QOS Class may not change as a result of resizing'),
    )
  for (const list of ['containers', 'initContainers'] as const) checkNothingRemoved(errors, spec, before, list)
  if (!deepEqual(withoutAmounts(spec, before), before))
    errors.push(fieldErrors.forbidden(path.spec, 'only cpu and memory resources are mutable'))
  return errors
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
    for (const [part, noun] of [
      ['requests', 'requests'],
      ['limits', 'limits'],
    ] as const) {
      const had = Object.keys(container.resources?.[part] ?? {})
      const has = spec[list]?.[index]?.resources?.[part] ?? {}
      if (had.some((name) => !(name in has)))
        errors.push(fieldErrors.forbidden(at.child(part), `resource ${noun} cannot be removed`))
    }
  })
}

/** The new spec with the amounts restored that a resize may change. */
function withoutAmounts(spec: core.PodSpec, before: core.PodSpec): core.PodSpec {
  const copy = copyObject(spec)
  for (const list of ['containers', 'initContainers'] as const)
    copy[list]?.forEach((container, index) => {
      const was = before[list]?.[index]
      assign(container, 'resizePolicy', was?.resizePolicy)
      const resources = copyObject(container.resources ?? {})
      for (const part of ['requests', 'limits'] as const)
        for (const name of ['cpu', 'memory']) {
          const amount = was?.resources?.[part]?.[name]
          if (amount !== undefined) resources[part] = { ...resources[part], [name]: amount }
          else delete resources[part]?.[name]
        }
      for (const part of ['requests', 'limits'] as const)
        if (resources[part] && Object.keys(resources[part]).length === 0 && was?.resources?.[part] === undefined)
          delete resources[part]
      assign(
        container,
        'resources',
        Object.keys(resources).length === 0 && was?.resources === undefined ? undefined : resources,
      )
    })
  return copy
}
