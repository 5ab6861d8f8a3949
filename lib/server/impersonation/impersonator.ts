import type { AuthorizationAttributes, Authorizer } from '../../authz/index.ts'
import type { Clock } from '../../base/index.ts'
import { StatusError } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import { authorizeWanted } from './authorizewanted.ts'
import { createDecisionCache, createModeMemory, decisionKey, userDecisionKey } from './caches.ts'
import { type Check, createCheck } from './check.ts'
import { type ImpersonationMode, impersonationModes } from './modes.ts'

export interface Impersonation {
  readonly mode: ImpersonationMode
  readonly user: UserInfo
}

export interface Impersonator {
  /** `attributes` are those of the request by its own user. Rejects with a StatusError (403) where no mode allows it. */
  impersonate(
    wanted: UserInfo,
    attributes: AuthorizationAttributes,
    context: { signal: AbortSignal },
  ): Promise<Impersonation>
}

/**
 * Decides by the modes of KEP-5284, the older verb `impersonate` last. The mode that a user needed most recently is
 * tried first; where all refuse, the client is sent the first refusal.
 */
export function createImpersonator({ authorizer, clock }: { authorizer: Authorizer; clock: Clock }): Impersonator {
  const attempts = impersonationModes.map((mode) => createAttempt(mode, clock))
  const memory = createModeMemory()
  return {
    async impersonate(wanted, attributes, context) {
      const check = createCheck(authorizer, context)
      const likely = memory.get(attributes.user)
      const order = [...attempts.keys()].sort((a, b) => Number(b === likely) - Number(a === likely))
      let refused: StatusError | undefined
      for (const index of order) {
        const mode = impersonationModes[index]
        const attempt = attempts[index]
        if (mode === undefined || attempt === undefined || !mode.covers(wanted, attributes.user)) continue
        try {
          const user = await attempt(check, wanted, attributes)
          if (index !== likely) memory.set(attributes.user, index)
          return { mode, user }
        } catch (error) {
          if (!(error instanceof StatusError)) throw error
          refused ??= error
        }
      }
      throw refused ?? new TypeError('the last impersonation mode covers every user')
    },
  }
}

type Attempt = (check: Check, wanted: UserInfo, attributes: AuthorizationAttributes) => Promise<UserInfo>

function createAttempt(mode: ImpersonationMode, clock: Clock): Attempt {
  if (!mode.constrained) return (check, wanted, { user }) => authorizeWanted(check, mode, user, wanted)
  const ofRequests = createDecisionCache(clock)
  const ofUsers = createDecisionCache(clock)
  const { generalize } = mode
  return async (given, wanted, asSent) => {
    const attributes = generalize?.(asSent) ?? asSent
    const check: Check = generalize ? (asked) => given(generalize(asked)) : given
    const keyed = generalize ? { ...wanted, name: '*' } : wanted
    const named = (user: UserInfo): UserInfo => (generalize ? { ...user, name: wanted.name } : user)
    const key = decisionKey(keyed, attributes)
    const known = ofRequests.get(key)
    if (known !== undefined) return named(known)
    await check({ ...asSent, verb: `impersonate-on:${mode.name}:${asSent.verb}` })
    const userKey = userDecisionKey(keyed, attributes.user)
    let user = ofUsers.get(userKey)
    if (user === undefined) {
      user = await authorizeWanted(check, mode, asSent.user, wanted)
      ofUsers.set(userKey, user)
    }
    ofRequests.set(key, user)
    return named(user)
  }
}
