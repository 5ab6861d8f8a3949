import type { Pod, PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { ResourceClient } from '../../client/index.ts'
import { controllerReference, type EventRecorder, isNamespaceTerminating, isNotFound } from '../../controller/index.ts'
import { type ApiObject, type Frozen, validateDns1123Subdomain } from '../../object/index.ts'

/** A pod as its owner's template describes it; the server gives it a name. */
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
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    spec: template.spec,
    status: {},
  }
}

/** Makes and deletes pods for their owners, who are told of it by events. */
interface PodControl {
  create(owner: Frozen<ApiObject>, pod: Frozen<Pod>): Promise<Frozen<Pod>>
  /** A pod that is gone already is no failure. */
  delete(owner: Frozen<ApiObject>, pod: Frozen<Pod>): Promise<void>
}

export function createPodControl(pods: ResourceClient<Pod>, events: EventRecorder): PodControl {
  return {
    async create(owner, pod) {
      if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels')
      try {
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
