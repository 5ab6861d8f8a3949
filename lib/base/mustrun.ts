/**
 * Marks work that does nothing until it is run. No value has the member: it makes the lint treat the work as it treats
 * a promise, and refuse it where its result is dropped (no-floating-promises, no-misused-promises).
 */
export interface MustRun {
  readonly then?: (resolve: (never: never) => void, reject: (never: never) => void) => void
}
