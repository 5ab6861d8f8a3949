import { serviceAccountGroups, splitServiceAccountName } from '../../authn/index.ts'
import { type AuthorizationAttributes, type Authorizer, forbiddenMessage } from '../../authz/index.ts'
import type { Clock, Metrics } from '../../base/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import type { Next, ServerFilter } from '../chain.ts'
import { attributesFor, authenticationGroup } from '../impersonation/attributes.ts'
import { createImpersonator } from '../impersonation/impersonator.ts'
import { createImpersonationMetrics } from '../impersonation/metrics.ts'
import { becomeUser, describeReferences, describeUser, wantedUserOf, withKnownGroup } from '../impersonation/wanted.ts'
import { attributesOf } from './authorize.ts'

/**
 * Lets a user act as another one by the headers Impersonate-User, -Uid, -Group and -Extra-…, where the verb `impersonate`
 * allows each of them. Feature gate ConstrainedImpersonation off; releases up to 1.35.
 */
export function impersonate({ authorizer }: { authorizer: Authorizer }): ServerFilter {
  async function actAs(call: ServerCall, wanted: UserInfo): Promise<void> {
    for (const attributes of checksOf(call.user, wanted)) {
      const { decision, reason } = await authorizer.authorize(attributes, call)
      if (decision === 'allow') continue
      call.responseHeaders.push('x-content-type-options', 'nosniff')
      throw statusErrors.forbidden(attributes, attributes.name, forbiddenMessage(attributes, reason))
    }
    becomeUser(call, userOf(wanted))
  }

  return (call, next) => {
    const wanted = wantedUserOf(call, describeReferences)
    return wanted === undefined ? next(call) : actAs(call, wanted).then(() => next(call))
  }
}

/** As `impersonate`, with the narrower verbs of KEP-5284. */
export function impersonateConstrained({
  authorizer,
  clock,
  metrics,
}: {
  authorizer: Authorizer
  clock: Clock
  metrics: Metrics
}): ServerFilter {
  const series = createImpersonationMetrics(metrics, clock)
  const impersonator = createImpersonator({ authorizer: series.measured(authorizer), clock })

  async function actAs(call: ServerCall, wanted: UserInfo, next: Next): Promise<void> {
    const startedMs = clock.monotonicMs()
    const tookMs = (): number => clock.monotonicMs() - startedMs
    try {
      const { mode, user } = await impersonator.impersonate(wanted, attributesOf(call), call)
      series.attempted(mode.name, true, tookMs())
      call.impersonationConstraint = mode.constrained ? mode.verb : ''
      becomeUser(call, user)
    } catch (error) {
      series.attempted('', false, tookMs())
      call.responseHeaders.push('x-content-type-options', 'nosniff')
      throw error
    }
    return next(call)
  }

  return (call, next) => {
    const wanted = wantedUserOf(call, describeUser)
    return wanted === undefined ? next(call) : actAs(call, wanted, next)
  }
}

/** One authorization check for the user, and for each group, value and uid. */
function checksOf(user: UserInfo, { name, uid, groups, extra }: UserInfo): AuthorizationAttributes[] {
  const account = splitServiceAccountName(name)
  return [
    account
      ? ({ group: '', resource: 'serviceaccounts', ...account } as const)
      : ({ group: '', resource: 'users', name } as const),
    ...groups.map((each) => ({ group: '', resource: 'groups', name: each }) as const),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map(
        (value) => ({ group: authenticationGroup, resource: 'userextras', subresource, name: value }) as const,
      ),
    ),
    ...(uid === '' ? [] : [{ group: authenticationGroup, resource: 'uids', name: uid } as const]),
  ].map((part) => attributesFor(user, 'impersonate', part))
}

function userOf({ name, uid, groups: given, extra }: UserInfo): UserInfo {
  const account = splitServiceAccountName(name)
  const groups = given.length === 0 && account ? serviceAccountGroups(account.namespace) : given
  return { name, uid, groups: withKnownGroup(name, groups), extra }
}
