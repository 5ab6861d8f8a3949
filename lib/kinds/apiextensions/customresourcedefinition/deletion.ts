import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type ApiObject, formatTime } from '../../../object/index.ts'
import type { KindContext, Strategy } from '../../definition.ts'

/** Keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** The first DELETE marks a definition; it is removed when the server has deleted its objects. Changes `object`. */
export function prepareForDelete(object: ApiObject, { clock }: KindContext): void {
  const finalizers = object.metadata.finalizers ?? []
  if (finalizers.includes(cleanupFinalizer)) return
  object.metadata.finalizers = [...finalizers, cleanupFinalizer]
  const status = (object['status'] ?? {}) as Partial<v1.CustomResourceDefinitionStatus>
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating')
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: formatTime(clock.now()),
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  object['status'] = { ...status, conditions: [...others, terminating] }
}

export const marksBeforeDelete: Strategy['marksBeforeDelete'] = { isHeld: () => false }
