import { AsyncLocalStorage } from 'node:async_hooks'
import type { AdmissionOperation } from '../../admission/index.ts'
import { assert } from '../../base/index.ts'

/** The task of a thread's running code. */
export interface CurrentTask {
  readonly id: number
  readonly admits: readonly AdmissionOperation[]
}

const storage = new AsyncLocalStorage<CurrentTask>()

export function withTask<Result>(task: CurrentTask, run: () => Result): Result {
  return storage.run(task, run)
}

/** Only code within a task calls the event loop. */
export function currentTask(): CurrentTask {
  const task = storage.getStore()
  assert(task, 'no task')
  return task
}
