import type { MustRun } from './mustrun.ts'

/** Work that seldom waits: it yields the promises that it waits for. Without any it costs no promise. */
export type Steps<Result> = Generator<Promise<unknown>, Result, void> & MustRun

/** Runs the steps: synchronously as long as they wait for nothing. */
export function runSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const step = steps.next()
  return step.done ? step.value : finish(steps, step.value)
}

async function finish<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  for (let waiting = first; ; ) {
    let step: IteratorResult<Promise<unknown>, Result>
    try {
      await waiting
      step = steps.next()
    } catch (error) {
      // Errors of the steps themselves are thrown here again and propagate.
      step = steps.throw(error)
    }
    if (step.done) return step.value
    waiting = step.value
  }
}

/** The value, awaited if it is a promise. */
export function* awaited<Value>(value: Value | Promise<Value>): Steps<Value> {
  if (!(value instanceof Promise)) return value
  let result: { readonly value: Value } | undefined
  yield value.then((known) => (result = { value: known }))
  if (!result) throw new Error('steps went on before their promise was kept')
  return result.value
}
