import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AuthorizationAttributes } from '../../authz/index.ts'
import { type Clock, createTtlCache } from '../../base/index.ts'
import type { UserInfo } from '../../request/index.ts'

/** Users whose last mode is remembered. */
export const rememberedUsersMax = 10_000
/** Successful impersonations that are remembered, by mode: of requests, and of users. */
export const rememberedDecisionsMax = 10_000
/** As long as the success of a token is remembered. */
const decisionTtlMs = 10_000

/** Impersonated users that one mode allowed a moment ago. */
export interface DecisionCache {
  get(key: string): UserInfo | undefined
  set(key: string, user: UserInfo): void
}

export function createDecisionCache(clock: Clock): DecisionCache {
  const cache = createTtlCache<UserInfo>(clock, rememberedDecisionsMax)
  return { get: (key) => cache.get(key), set: (key, user) => cache.set(key, user, decisionTtlMs) }
}

/** The mode that was right for a user most recently: it is tried first, so that the older verb costs no more than ever. */
export interface ModeMemory {
  get(requestor: UserInfo): number | undefined
  set(requestor: UserInfo, mode: number): void
}

export function createModeMemory(): ModeMemory {
  // With `max` it would allocate all entries at once.
  const modes = new LRUCache<string, { mode: number }>({ maxSize: rememberedUsersMax, sizeCalculation: () => 1 })
  return {
    get: ({ name }) => modes.get(digest(name))?.mode,
    set: ({ name }, mode) => void modes.set(digest(name), { mode }),
  }
}

/**
 * The key of a decision: every input of it, hashed, since clients choose how long the inputs are. Selectors are those of
 * the request as it was sent.
 */
export function decisionKey(wanted: UserInfo, { user, ...attributes }: AuthorizationAttributes): string {
  const { verb, isResource, path, group, version, resource, subresource, namespace, name } = attributes
  const { labelSelector = null, fieldSelector = null } = attributes
  const action = [verb, isResource, path, group, version, resource, subresource, namespace, name]
  return digest(JSON.stringify([userKey(wanted), userKey(user), action, labelSelector, fieldSelector]))
}

/** The key of a decision about users alone. */
export function userDecisionKey(wanted: UserInfo, requestor: UserInfo): string {
  return digest(JSON.stringify([userKey(wanted), userKey(requestor)]))
}

function userKey({ name, uid, groups, extra }: UserInfo): unknown[] {
  const entries = Object.keys(extra)
    .sort()
    .map((key) => [key, extra[key]])
  return [name, uid, groups, entries]
}

function digest(text: string): string {
  return hash('sha256', text, 'base64')
}
