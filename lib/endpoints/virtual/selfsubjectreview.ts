import type { Clock } from '../../base/index.ts'
import { type ApiObject, formatTime } from '../../object/index.ts'
import { parseCreateOptions, type UserInfo } from '../../request/index.ts'
import { admitCreation } from './admitcreation.ts'
import type { VirtualHandler } from './virtualhandler.ts'

/** A user in the API's objects. */
export interface UserInfoObject {
  username?: string
  uid?: string
  groups?: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** Omits empty fields. */
export function showUser({ name, uid, groups, extra }: UserInfo): UserInfoObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** POST: answers the user's own identity, after impersonation. */
export function createSelfSubjectReviewHandler({ clock }: { clock: Clock }, version = 'v1'): VirtualHandler {
  const gvk = { group: 'authentication.k8s.io', version, kind: 'SelfSubjectReview' }
  const gvr = { group: gvk.group, version, resource: 'selfsubjectreviews' }
  return {
    gvr,
    subresource: '',
    verbs: ['create'],
    namespaced: false,
    named: false,
    async handle(call, kit) {
      const options = parseCreateOptions(call.query)
      const review = await kit.read(call, gvk, options.fieldValidation)
      await admitCreation(call, kit, { kind: gvk, resource: gvr }, review, options)
      const answer: ApiObject & { status: object } = {
        apiVersion: review.apiVersion,
        kind: review.kind,
        metadata: { ...review.metadata, creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: showUser(call.user) },
      }
      await kit.respond(call, 201, answer)
    },
  }
}
