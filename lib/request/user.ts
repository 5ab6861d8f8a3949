/** An authenticated user. */
export interface UserInfo {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
}
export const mastersGroup = 'system:masters'
export const authenticatedGroup = 'system:authenticated'
export const unauthenticatedGroup = 'system:unauthenticated'

const nodePrefix = 'system:node:'
export const nodesGroup = 'system:nodes'

/** The node name of a kubelet's user; undefined for other users, '' for a node user without a name. */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(nodePrefix) || !groups.includes(nodesGroup)) return undefined
  return name.slice(nodePrefix.length)
}
