import type { ResourceQuota, ResourceQuotaStatus } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { type Amounts, exceeding, isSameAmounts, maskAmounts } from '../../quota/index.ts'

type Quota = Frozen<ResourceQuota>
type Status = Frozen<ResourceQuotaStatus>

/** The new status of the quota; undefined: it needs no change. Uncounted resources keep their usage. */
export function plan(quota: Quota, counted: Amounts): Status | undefined {
  const hard = quota.spec?.hard ?? {}
  const known = quota.status?.used ?? {}
  const used = { ...maskAmounts({ ...known, ...counted }, Object.keys(hard)) }
  const isRight = isSameAmounts(hard, quota.status?.hard ?? {}) && isSameAmounts(used, known)
  return isRight ? undefined : { hard, used }
}

/** The names of the resources whose usage the status lowers. */
export function loweredNames(quota: Quota, { used = {} }: Status): string[] {
  return exceeding(quota.status?.used ?? {}, used)
}

/** The quota's status covers its spec, so that admission can decide by it. */
export function isCounted({ spec, status }: Quota): boolean {
  const hard = spec?.hard ?? {}
  const used = status?.used ?? {}
  return isSameAmounts(hard, status?.hard ?? {}) && Object.keys(hard).every((name) => Object.hasOwn(used, name))
}
