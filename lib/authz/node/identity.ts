import type { UserInfo } from '../../request/index.ts'

const namePrefix = 'system:node:'
const nodesGroup = 'system:nodes'

/** The node that a user is the agent of; undefined for others, '' for one that does not say which. */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(namePrefix) || !groups.includes(nodesGroup)) return undefined
  return name.slice(namePrefix.length)
}
