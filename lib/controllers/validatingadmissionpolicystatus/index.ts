import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { observe } from './observe.ts'
import { plan } from './plan.ts'

const fieldManager = 'validatingadmissionpolicy-status'

/** Reports the type errors of policies' expressions, for the kinds that they match, in their status. */
export const validatingadmissionpolicystatus: ControllerDefinition = {
  name: 'validatingadmissionpolicy-status-controller',
  account: 'validatingadmissionpolicy-status-controller',
  start(context) {
    const { validatingadmissionpolicies } = resources.admissionregistration.v1
    const known = context.informer(validatingadmissionpolicies)
    const queue = context.reconcile({
      name: 'validatingadmissionpolicy-status',
      workers: 5,
      async turn(name, { client, signal }) {
        const policy = known.get(name)
        if (!policy || (policy.metadata.generation ?? 0) <= (policy.status?.observedGeneration ?? 0)) return
        const status = plan(policy, await observe(policy.spec, client, signal))
        const { apiVersion, kind } = policy
        const body = { apiVersion, kind, metadata: { name }, status }
        try {
          const options = { fieldManager, force: true }
          await client.resource(validatingadmissionpolicies).patchStatus({ name }, 'apply', body, options)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      },
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
  },
}
