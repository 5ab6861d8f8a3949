/**
 * Why an expression has no value.
 *   noSuchField     a missing field, key or index
 *   noSuchOverload  the function has no overload for the types of its arguments
 *   overflow        an int, uint, timestamp or duration left its range
 *   divisionByZero
 *   invalidArgument a conversion or function refused its argument
 *   budget          the evaluation exceeded its budget
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
 * A failed evaluation. Thrown inside the engine (&&, || and the loops catch all but 'budget' and 'aborted'), returned
 * to callers of the engine. Without a stack trace, as failures are frequent.
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

/** True for an error that && and || may absorb; errors that stop the whole evaluation are rethrown. */
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
