import type * as authorization from '../../../api/gen/authorization.k8s.io/v1.ts'
import type { RuleResolver } from '../../authz/index.ts'
import { type ApiObject, statusErrors } from '../../object/index.ts'
import { readReview } from './subjectaccessreview.ts'
import type { VirtualHandler } from './virtualhandler.ts'

/** POST: everything that the user may do in a namespace, as far as the authorizers know. */
export function createRulesReviewHandler({ resolver }: { resolver: RuleResolver }): VirtualHandler {
  const resource = 'selfsubjectrulesreviews'
  return {
    gvr: { group: 'authorization.k8s.io', version: 'v1', resource },
    subresource: '',
    verbs: ['create'],
    namespaced: false,
    named: false,
    async handle(call, kit) {
      const review = await readReview(call, kit, 'SelfSubjectRulesReview', resource)
      // The kind's type says what a decoded object holds.
      const { namespace = '' } = (review as authorization.SelfSubjectRulesReview).spec
      if (namespace === '') throw statusErrors.badRequest('no namespace on request')
      const { resourceRules, nonResourceRules, incomplete, errors } = await resolver.rulesFor(
        call.user,
        namespace,
        call,
      )
      const evaluationError = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`
      const status = {
        resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs: [...verbs],
          apiGroups: [...apiGroups],
          resources: [...resources],
          ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
        })),
        nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
          verbs: [...verbs],
          nonResourceURLs: [...nonResourceURLs],
        })),
        incomplete,
        ...(errors.length === 0 ? {} : { evaluationError: evaluationError ?? '' }),
      }
      // The answer is a new review: it contains nothing of the request's.
      const answer = { apiVersion: review.apiVersion, kind: review.kind, metadata: {}, spec: {}, status }
      await kit.respond(call, 201, answer as ApiObject)
    },
  }
}
