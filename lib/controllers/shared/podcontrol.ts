import type { Pod, PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { ResourceClient } from '../../client/index.ts'
import { controllerReference, type EventRecorder, isNamespaceTerminating, isNotFound } from '../../controller/index.ts'
import { type ApiObject, type Frozen, type LabelSelector, validateDns1123Subdomain } from '../../object/index.ts'
import { messageOf } from './messageof.ts'

/** A pod by its owner's template; the server generates its name. */
export function podFromTemplate(owner: Frozen<ApiObject>, template: Frozen<PodTemplateSpec>): Frozen<Pod> {
  const { namespace = '', name = '' } = owner.metadata
  const { labels, annotations, finalizers } = template.metadata
  const prefix = `${name}-`
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      generateName: validateDns1123Subdomain(`${prefix}a`).length === 0 ? prefix : name,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
    },
    spec: template.spec,
    status: {},
  }
}

/** Creates and deletes pods for their owners, and records events about that. */
interface PodControl {
  create(owner: Frozen<ApiObject>, pod: Frozen<Pod>): Promise<Frozen<Pod>>
  /** A pod that does not exist is no failure. */
  delete(owner: Frozen<ApiObject>, pod: Frozen<Pod>): Promise<void>
}

/** `selector` is that of the owner. */
export function createPodControl(
  pods: ResourceClient<Pod>,
  events: EventRecorder,
  selector: LabelSelector,
): PodControl {
  return {
    async create(owner, pod) {
      if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels')
      try {
        requireSelected(pod, selector)
        const created = await pods.create(pod)
        events.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name ?? ''}`)
        return created
      } catch (error) {
        if (!isNamespaceTerminating(error))
          events.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`)
        throw error
      }
    },
    async delete(owner, { metadata }) {
      const { namespace = '', name = '', uid } = metadata
      try {
        await pods.delete({ namespace, name }, { uid })
        events.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
      } catch (error) {
        if (isNotFound(error)) return
        events.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`)
        throw error
      }
    },
  }
}

/**
 * Throws for a pod that its owner does not select, which validation should prevent: the owner would release it and
 * create the next one, endlessly.
 */
export function requireSelected({ metadata }: Frozen<Pod>, selector: LabelSelector): void {
  if (!selector.matches(metadata.labels ?? {})) throw new Error('`selector` does not match template `labels`')
}
