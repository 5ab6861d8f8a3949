/**
 * Thrown by a codec's `convert` and `encodeForStorage` when another server (a conversion webhook) must convert the
 * object: repeat the call once `ready` has resolved, and give up when it rejects.
 */
export class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded'
  readonly ready: Promise<void>

  constructor(ready: Promise<void>) {
    super('the object is not converted yet')
    this.ready = ready
    ready.catch(() => {}) // callers that await it get the error
  }
}

/** Maximum number of waits of one step: each time for other conversions. */
const waitsMax = 8

/** Runs a step that converts objects, and again after each conversion that it needs. */
export function withConversions<Result>(run: () => Result): Result | Promise<Awaited<Result>> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ConversionNeeded)) throw error
    return again(run, error)
  }
}

async function again<Result>(run: () => Result, needed: ConversionNeeded): Promise<Awaited<Result>> {
  for (let waits = 1; ; waits++) {
    await needed.ready
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ConversionNeeded) || waits >= waitsMax) throw error
      needed = error
    }
  }
}
