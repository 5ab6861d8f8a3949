import type { AuthorizationResult, Authorizer } from './authorizer.ts'

const allowed: AuthorizationResult = { decision: 'allow', reason: '' }
const denied: AuthorizationResult = { decision: 'no-opinion', reason: 'Everything is forbidden.' }

/** Mode AlwaysAllow. */
export const alwaysAllow: Authorizer = { name: 'alwaysallow', authorize: () => allowed }

/** Mode AlwaysDeny: leaves it to the others, so that alone it denies everything. */
export const alwaysDeny: Authorizer = { name: 'alwaysdeny', authorize: () => denied }
