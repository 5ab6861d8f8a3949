/**
 * Why an expression has no value.
 *   noSuchField     a missing field, key or index
 *   noSuchOverload  a function met values of types it has no form for
 *   overflow        int, uint, timestamp or duration left its range
 *   divisionByZero
 *   invalidArgument a conversion or function refused its argument
 *   budget          the evaluation cost more than it may
 *   aborted         the caller's signal fired
 */
type CelErrorCode =
  | 'noSuchField'
  | 'noSuchOverload'
  | 'overflow'
  | 'divisionByZero'
  | 'invalidArgument'
  | 'budget'
  | 'aborted'

/**
 * A failed evaluation. Thrown inside the engine (&&, || and the loops catch all but 'budget' and 'aborted'), returned at
 * its edge. Makes no stack trace: expressions fail as a matter of course.
 */
export class CelError {
  readonly code: CelErrorCode
  readonly message: string

  constructor(code: CelErrorCode, message: string) {
    this.code = code
    this.message = message
  }

  toString(): string {
    return this.message
  }
}

/** True for an error that && and || may absorb; errors that stop the whole evaluation are thrown on. */
export function isAbsorbed(error: unknown): error is CelError {
  return error instanceof CelError && error.code !== 'budget' && error.code !== 'aborted'
}

export function noSuchKey(key: string): never {
  throw new CelError('noSuchField', `no such key: ${key}`)
}

export function noSuchOverload(): never {
  throw new CelError('noSuchOverload', 'no such overload')
}

export function overflow(what: 'integer' | 'unsigned integer' | 'timestamp'): never {
  throw new CelError('overflow', `${what} overflow`)
}

export function invalidArgument(message: string): never {
  throw new CelError('invalidArgument', message)
}
