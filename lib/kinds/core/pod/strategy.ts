import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Strategy } from '../../definition.ts'
import { hostnameWarnings, podWarnings } from '../podspec/warnings.ts'
import { qosClassOf } from './qos.ts'
import { validateEphemeralContainersUpdate, validatePodUpdate, validateResize } from './update.ts'
import { specOf, statusOf, validatePodCreate, validatePodStatusUpdate } from './validate.ts'

function keep(object: ApiObject, old: ApiObject, field: 'spec' | 'status'): void {
  if (old[field] === undefined) delete object[field]
  else object[field] = old[field]
}

/** A pod that nothing runs any more, or that never was given to a node, goes at once. */
function gracePeriodSeconds(object: ApiObject, requestedSeconds: number | undefined): number | undefined {
  const spec = specOf(object)
  const { phase } = statusOf(object)
  if (!spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0
  const seconds = requestedSeconds ?? Number(spec.terminationGracePeriodSeconds ?? 0)
  return seconds < 0 ? 1 : seconds
}

export const podStrategy: Strategy = {
  prepareForCreate(object) {
    object.metadata.generation = 1
    const spec = specOf(object)
    const status: core.PodStatus = { phase: 'Pending', qosClass: qosClassOf(spec) }
    if (spec.schedulingGates?.length) {
      const message = 'Scheduling is blocked due to non-empty scheduling gates'
      status.conditions = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message }]
    }
    object['status'] = status
  },
  prepareForUpdate: (object, old) => keep(object, old, 'status'),
  validateCreate: validatePodCreate,
  validateUpdate: validatePodUpdate,
  // Not of updates: those are made by controllers, often.
  warningsOnCreate: (object, context) => [
    ...hostnameWarnings(object.metadata.name, "the Pod's hostname"),
    ...podWarnings({ metadata: object.metadata, spec: specOf(object) }, context),
  ],
  gracePeriodSeconds,
}

export const podStatusStrategy: Strategy = {
  prepareForUpdate(object, old) {
    keep(object, old, 'spec')
    delete object.metadata.deletionTimestamp
    if (old.metadata.deletionTimestamp !== undefined) object.metadata.deletionTimestamp = old.metadata.deletionTimestamp
    const status = statusOf(object)
    const qosClass = statusOf(old).qosClass ?? qosClassOf(specOf(object))
    object['status'] = { ...status, qosClass }
  },
  validateUpdate: validatePodStatusUpdate,
  gracePeriodSeconds,
}

/** Takes nothing from the request but one field of its spec. */
function onlyField(field: keyof core.PodSpec): (object: ApiObject, old: ApiObject) => void {
  return (object, old) => {
    const wanted = specOf(object)[field]
    const spec: core.PodSpec = { ...specOf(old) }
    if (wanted === undefined) delete spec[field]
    else Object.assign(spec, { [field]: wanted })
    object['spec'] = spec
    keep(object, old, 'status')
  }
}

export const podEphemeralContainersStrategy: Strategy = {
  prepareForUpdate: onlyField('ephemeralContainers'),
  validateUpdate: validateEphemeralContainersUpdate,
}

export const podResizeStrategy: Strategy = {
  prepareForUpdate(object, old) {
    const wanted = specOf(object)
    const before = specOf(old)
    const spec: core.PodSpec = { ...before }
    for (const list of ['containers', 'initContainers'] as const) {
      const containers = wanted[list]
      if (containers) spec[list] = containers
    }
    object['spec'] = spec
    object.metadata = {
      ...object.metadata,
      labels: old.metadata.labels ?? {},
      annotations: old.metadata.annotations ?? {},
    }
    keep(object, old, 'status')
  },
  validateUpdate: validateResize,
}
