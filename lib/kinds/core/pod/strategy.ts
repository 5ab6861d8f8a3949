import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, formatTime, nextGeneration, semanticEqual } from '../../../object/index.ts'
import type { KindContext, Strategy } from '../../definition.ts'
import { keepField, keepMetadata } from '../../meta/strategy.ts'
import { hostnameWarnings, podWarnings } from '../podspec/warnings.ts'
import { completeAffinity } from './affinity.ts'
import { confineAsAnnotated } from './apparmor.ts'
import { qosClassOf } from './qos.ts'
import { validateResize } from './resize.ts'
import { validateEphemeralContainersUpdate, validatePodUpdate } from './update.ts'
import { specOf, statusOf, validatePodCreate, validatePodStatusUpdate } from './validate.ts'

/** Every change of the spec counts, through any endpoint. */
function countChange(object: ApiObject, old: ApiObject): void {
  if (!semanticEqual(object['spec'], old['spec'])) object.metadata.generation = nextGeneration(old.metadata)
}

/** A finished pod, or one without a node, is deleted at once. */
function gracePeriodSeconds(object: ApiObject, requestedSeconds: number | undefined): number | undefined {
  const spec = specOf(object)
  const { phase } = statusOf(object)
  if (!spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0
  const seconds = requestedSeconds ?? spec.terminationGracePeriodSeconds ?? 0
  return seconds < 0 ? 1 : seconds
}

export const podStrategy: Strategy = {
  prepareForCreate(object, context) {
    object.metadata.generation = 1
    const spec = specOf(object)
    completeAffinity(object)
    confineAsAnnotated(object, context)
    const status: core.PodStatus = { phase: 'Pending', qosClass: qosClassOf(spec) }
    if (spec.schedulingGates?.length) {
      const message = 'Scheduling is blocked due to non-empty scheduling gates'
      const lastTransitionTime = formatTime(context.clock.now())
      status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'SchedulingGated',
          message,
          lastTransitionTime,
          ...(context.gate('PodObservedGenerationTracking') && { observedGeneration: 1 }),
        },
      ]
    }
    object['status'] = status
  },
  prepareForUpdate(object, old) {
    keepField(object, old, 'status')
    countChange(object, old)
  },
  validateCreate: validatePodCreate,
  validateUpdate: validatePodUpdate,
  // No warnings on updates: controllers make those, often.
  warningsOnCreate: (object, context) => [
    ...hostnameWarnings(object.metadata.name, "the Pod's hostname"),
    ...podWarnings({ metadata: object.metadata, spec: specOf(object) }, context),
  ],
  gracePeriodSeconds,
}

export const podStatusStrategy: Strategy = {
  prepareForUpdate(object, old) {
    keepField(object, old, 'spec')
    // A status update must not change the owners.
    const { deletionTimestamp, ownerReferences } = old.metadata
    const { deletionTimestamp: _time, ownerReferences: _owners, ...metadata } = object.metadata
    object.metadata = {
      ...metadata,
      ...(deletionTimestamp && { deletionTimestamp }),
      ...(ownerReferences && { ownerReferences }),
    }
    const status = statusOf(object)
    const qosClass = statusOf(old).qosClass ?? qosClassOf(specOf(object))
    object['status'] = { ...status, qosClass }
  },
  validateUpdate: validatePodStatusUpdate,
  gracePeriodSeconds,
}

/** Restores everything, except for the result of `change` on the old spec. */
function onlySpec(change: (wanted: core.PodSpec, before: core.PodSpec, context: KindContext) => core.PodSpec) {
  return (object: ApiObject, old: ApiObject, context: KindContext): void => {
    object['spec'] = change(specOf(object), specOf(old), context)
    keepField(object, old, 'status')
    keepMetadata(object, old)
    countChange(object, old)
  }
}

export const podEphemeralContainersStrategy: Strategy = {
  prepareForUpdate: onlySpec(({ ephemeralContainers }, { ephemeralContainers: _, ...rest }) => ({
    ...rest,
    ...(ephemeralContainers && { ephemeralContainers }),
  })),
  validateUpdate: validateEphemeralContainersUpdate,
}

/** The old containers with the new resources. Added and removed containers are left for validation to refuse. */
function resized(wanted: core.Container[] = [], before: core.Container[] = []): core.Container[] {
  if (wanted.length !== before.length || wanted.some(({ name }, index) => name !== before[index]?.name)) return wanted
  return before.map(({ resizePolicy: _, ...rest }, index) => {
    const { resources = {}, resizePolicy } = wanted[index] ?? {}
    return { ...rest, resources, ...(resizePolicy && { resizePolicy }) }
  })
}

function withResources(
  { resources: _, ...spec }: core.PodSpec,
  resources: core.ResourceRequirements | undefined,
): core.PodSpec {
  return { ...spec, ...(resources && { resources }) }
}

export const podResizeStrategy: Strategy = {
  prepareForUpdate: onlySpec((wanted, before, { gate }) => ({
    ...withResources(before, gate('InPlacePodLevelResourcesVerticalScaling') ? wanted.resources : before.resources),
    containers: resized(wanted.containers, before.containers),
    ...(wanted.initContainers?.length || before.initContainers
      ? { initContainers: resized(wanted.initContainers, before.initContainers) }
      : {}),
  })),
  validateUpdate: validateResize,
}
