import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { advance, recordOf } from '../../../lib/hollownode/pods/advance.ts'
import { behaviourOf } from '../../../lib/hollownode/pods/behaviour.ts'
import { withContainer } from '../../../lib/hollownode/pods/record.ts'
import { reportOf } from '../../../lib/hollownode/pods/status.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

interface Step {
  /** Seconds since the pod came. */
  readonly at: number
  /** Processes that have ended since the step before, with their exit codes. */
  readonly exit?: Readonly<Record<string, number>>
  /** Containers whose hooks before the stop have ended since the step before. */
  readonly hooked?: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly deleted?: boolean
  readonly blocked?: string
}

/**
 * `input.steps`: what happens to the pod, step by step. Expected is a line a step: phase, conditions that are true, and each
 * container's state, with `*` where it is ready and its number of restarts; then when time alone changes something.
 */
runScripts(
  'pods',
  ({ lister, nowMs, input }) => {
    let [pod] = [...lister(resources.core.v1.pods).all()] as [Frozen<Pod>]
    let record = recordOf(pod, '10.128.0.1', nowMs)
    return (input['steps'] as readonly Step[]).map(({ at, exit = {}, hooked = [], annotations, deleted, blocked }) => {
      const timeMs = nowMs + at * 1000
      const { metadata } = pod
      pod = {
        ...pod,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, ...annotations },
          ...(deleted === true ? { deletionTimestamp: '2026-01-01T00:01:00Z', deletionGracePeriodSeconds: 30 } : {}),
        },
      }
      for (const [name, exitCode] of Object.entries(exit)) {
        const known = record.containers.get(name)
        if (!known) throw new Error(`${name} does not run`)
        const { id, startedAtMs } = known
        record = withContainer(record, name, {
          ...known,
          finished: { id, startedAtMs, finishedAtMs: timeMs, exitCode },
        })
      }
      for (const name of hooked) {
        const known = record.containers.get(name)
        if (known) record = withContainer(record, name, { ...known, hookEndedAtMs: timeMs })
      }
      const behaviour = behaviourOf(pod)
      const after = advance({ pod, record, behaviour, blocked, nowMs: timeMs })
      record = after.record
      const { status, againAtMs } = reportOf({ pod, record, behaviour, blocked, nowMs: timeMs }, after, '127.0.0.1')
      pod = { ...pod, status }
      const again = [after.againAtMs, againAtMs].filter((each) => each !== undefined)
      const problems = behaviour.problems.length === 0 ? '' : ` problems: ${behaviour.problems.join(', ')}`
      const hooks = Array.from(after.hooksBegun, ([name, ms]) => `${name} ${ms / 1000}`)
      const begun = hooks.length === 0 ? '' : ` hooks begin: ${hooks.join(', ')}`
      return `${lineOf(status)}${begun}${again.length === 0 ? '' : ` again at ${(Math.min(...again) - nowMs) / 1000}`}${after.isOver ? ' over' : ''}${problems}`
    })
  },
  'hollownode',
)

function lineOf({ phase, reason, conditions = [], ...status }: Pod['status']): string {
  const conditionsTrue = conditions.filter((each) => each.status === 'True').map(({ type }) => type)
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
  const containers = all.map(({ name, state, ready, restartCount }) => {
    const { waiting, running, terminated } = state
    const shown = waiting ? waiting.reason : running ? 'running' : `${terminated?.reason} ${terminated?.exitCode}`
    return `${name}: ${shown}${ready ? '*' : ''}${restartCount > 0 ? ` (${restartCount})` : ''}`
  })
  return [phase, reason, `[${conditionsTrue.join(' ')}]`, containers.join(', ')]
    .filter((each) => each !== undefined)
    .join(' ')
}
