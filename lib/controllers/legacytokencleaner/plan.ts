import type { Pod, Secret, ServiceAccount } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'

const lastUsedLabel = 'kubernetes.io/legacy-token-last-used'
export const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since'
const dayMs = 24 * 3600_000
const dayForm = /^\d{4}-\d\d-\d\d$/

type Intention = 'invalidate' | 'delete' | 'nothing'

/** Midnight, UTC; undefined for an invalid date. */
function dayMsOf(text: string | undefined): number | undefined {
  if (text === undefined || !dayForm.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Uses have been tracked long enough to know which tokens were not used. */
export function isTrackedLongEnough(since: string | undefined, periodMs: number, nowMs: number): boolean {
  const sinceMs = dayMsOf(since)
  return sinceMs !== undefined && nowMs >= sinceMs + dayMs + periodMs
}

interface TokenContext {
  readonly account: Frozen<ServiceAccount> | undefined
  /** Names of the secrets that pods of the namespace mount or read. */
  readonly mounted: ReadonlySet<string>
}

/** A generated token that was not used for the period is invalidated, and deleted a period later. */
export function plan(
  { metadata }: Frozen<Secret>,
  { account, mounted }: TokenContext,
  periodMs: number,
  nowMs: number,
): Intention {
  const { name = '', creationTimestamp, deletionTimestamp, labels = {}, annotations = {} } = metadata
  if (deletionTimestamp !== undefined || mounted.has(name)) return 'nothing'
  if (creationTimestamp === undefined || creationTimestamp === null || parseTime(creationTimestamp) >= nowMs - periodMs)
    return 'nothing'
  const isOwn = account !== undefined && account.metadata.uid === annotations['kubernetes.io/service-account.uid']
  if (!isOwn || !(account.secrets ?? []).some((each) => each.name === name)) return 'nothing'
  const lastUsed = labels[lastUsedLabel]
  if (lastUsed !== undefined && !isOlder(lastUsed, periodMs, nowMs)) return 'nothing'
  const invalidSince = labels[invalidSinceLabel]
  if (invalidSince === undefined) return 'invalidate'
  return isOlder(invalidSince, periodMs, nowMs) ? 'delete' : 'nothing'
}

/** An invalid date is not old. */
function isOlder(day: string, periodMs: number, nowMs: number): boolean {
  const ms = dayMsOf(day)
  return ms !== undefined && ms < Date.parse(dayOf(nowMs - periodMs))
}

/** Secrets that the pod mounts, reads into its environment, or uses to pull images. */
export function secretsOf({ spec }: Frozen<Pod>): string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])]
  const names = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...(spec.volumes ?? []).flatMap(({ secret, projected }) => [
      secret?.secretName,
      ...(projected?.sources ?? []).map((source) => source.secret?.name),
    ]),
    ...containers.flatMap(({ env = [], envFrom = [] }) => [
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
    ]),
  ]
  return names.filter((name) => name !== undefined)
}
