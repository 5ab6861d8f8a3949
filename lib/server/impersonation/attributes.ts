import type { AuthorizationAttributes } from '../../authz/index.ts'
import type { UserInfo } from '../../request/index.ts'

export const authenticationGroup = 'authentication.k8s.io'

/** Part of a wanted user, as a resource that a role can grant. */
export interface WantedPart {
  readonly group: string
  readonly resource: 'users' | 'nodes' | 'serviceaccounts' | 'uids' | 'groups' | 'userextras'
  readonly name: string
  readonly namespace?: string
  readonly subresource?: string
}

/** The question to authorizers about a part of the wanted user. */
export function attributesFor(requestor: UserInfo, verb: string, part: WantedPart): AuthorizationAttributes {
  return {
    user: requestor,
    verb,
    isResource: true,
    path: '',
    version: 'v1',
    subresource: '',
    namespace: '',
    ...part,
  }
}
