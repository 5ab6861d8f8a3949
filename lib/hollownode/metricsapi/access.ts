import type { SubjectAccessReview } from '../../../api/gen/authorization.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { forbiddenMessage, reviewSpec } from '../../authz/index.ts'
import { type Clock, createTtlCache } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { RequestInfo, UserInfo } from '../../request/index.ts'

/** Decisions that are kept, and how long: as the stock server's libraries for aggregated servers do. */
const decisionsMax = 1000
const decisionMs = 10_000

/** Asks the API server whether a user may do what a request asks for. */
export interface Access {
  /** Throws 403, or what the review itself failed with. */
  check(user: UserInfo, info: RequestInfo): Promise<void>
}

export function createAccess({ clock, client }: { readonly clock: Clock; readonly client: Client }): Access {
  const decisions = createTtlCache<{ readonly allowed: boolean; readonly reason: string }>(clock, decisionsMax)
  return {
    async check(user, { isResource, path, verb, group, version, resource, subresource, namespace, name }) {
      const attributes = { user, isResource, path, verb, group, version, resource, subresource, namespace, name }
      const spec = reviewSpec(attributes)
      const key = JSON.stringify(spec)
      let decision = decisions.get(key)
      if (decision === undefined) {
        const { status } = await client.resource(resources.authorization.v1.subjectaccessreviews).create({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          // The reader's arrays are not changed: the request is encoded from them.
          spec: spec as SubjectAccessReview['spec'],
          status: { allowed: false },
        })
        decision = { allowed: status.allowed, reason: status.reason ?? '' }
        decisions.set(key, decision, decisionMs)
      }
      if (decision.allowed) return
      const about = isResource ? { group, resource } : { group: '', resource: '' }
      throw statusErrors.forbidden(about, isResource ? name : '', forbiddenMessage(attributes, decision.reason))
    },
  }
}
