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

/** Sets a field, or takes it away. */
export function assign<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
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
