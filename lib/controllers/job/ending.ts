import { parseTime, secondsToMs } from '../../object/index.ts'
import { type End, holds } from './conditions.ts'
import type { Count } from './count.ts'
import { IndexSet } from './indexset.ts'
import type { Turn } from './turn.ts'

/** The reason for which the job ends now, whatever the state of its pods; undefined: it goes on. */
export function endingOf(turn: Turn, count: Count, startTime: string | undefined): End | undefined {
  const { status } = turn.job
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const { reason = '', message = '' } = holds(status, type) ?? {}
    if (holds(status, type)) return { type, reason, message }
  }
  for (const pod of count.failed) {
    const verdict = turn.verdict(pod)
    if (verdict.action === 'FailJob') return fails('PodFailurePolicy', verdict.message)
  }
  if (isBeyondBackoff(turn, count)) return fails('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  if (isLate(turn, startTime)) return fails('DeadlineExceeded', 'Job was active longer than specified deadline')
  return turn.isIndexed ? endingOfIndexes(turn, count) : undefined
}

function isBeyondBackoff(turn: Turn, { failedTotal }: Count): boolean {
  const { backoffLimit = 6, template } = turn.job.spec
  if (failedTotal > backoffLimit) return true
  if (template.spec.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of turn.pods) {
    if (status.phase !== 'Running' && status.phase !== 'Pending') continue
    for (const each of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
      restarts += each.restartCount
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit
}

function isLate(turn: Turn, startTime: string | undefined): boolean {
  const { activeDeadlineSeconds, suspend } = turn.job.spec
  if (activeDeadlineSeconds === undefined || startTime === undefined || suspend) return false
  const leftMs = parseTime(startTime) + secondsToMs(activeDeadlineSeconds) - turn.nowMs
  if (leftMs > 0) turn.againBy(leftMs)
  return leftMs <= 0
}

function endingOfIndexes(turn: Turn, { completed, failedIndexes }: Count): End | undefined {
  const { completions = 0, maxFailedIndexes, successPolicy } = turn.job.spec
  if (turn.limitsIndexes) {
    if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes)
      return fails('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes')
    if (failedIndexes.size > 0 && failedIndexes.size + completed.size >= completions)
      return fails('FailedIndexes', 'Job has failed indexes')
  }
  for (const [index, rule] of (successPolicy?.rules ?? []).entries()) {
    const wanted = rule.succeededIndexes === undefined ? undefined : IndexSet.parse(rule.succeededIndexes, completions)
    const done = wanted === undefined ? completed.size : wanted.size - wanted.minus(completed).size
    const enough = rule.succeededCount ?? wanted?.size
    if (enough !== undefined && done >= enough)
      return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${index}` }
  }
  return undefined
}

export function completionOf(turn: Turn, { succeededTotal }: Count, creations: number): End | undefined {
  const { completions } = turn.job.spec
  const enough = completions === undefined ? succeededTotal > 0 : succeededTotal >= completions
  if (!enough || turn.active.length > 0 || creations > 0) return undefined
  const message = 'Reached expected number of succeeded pods'
  if (completions !== undefined && succeededTotal > completions)
    turn.events.push({
      type: 'Warning',
      reason: 'TooManySucceededPods',
      message: 'Too many succeeded pods running after completion count reached',
    })
  return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message }
}

function fails(reason: string, message: string): End {
  return { type: 'FailureTarget', reason, message }
}
