/**
 * Marks work that does nothing until it is run. No value has the member: it makes the linter treat the work like a
 * promise, and report a dropped result (no-floating-promises, no-misused-promises).
 */
export interface MustRun {
  readonly then?: (resolve: (never: never) => void, reject: (never: never) => void) => void
}
