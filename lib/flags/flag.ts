/** The presentation of a flag. */
export interface FlagOptions {
  /** One letter: `v` for `-v`. */
  readonly short?: string
  /** The replacement, or the reason for the removal: setting the flag warns. Help shows it. */
  readonly deprecated?: string
  /** Accepted, but not listed in help. */
  readonly hidden?: boolean
  /** Why a value other than the default has no effect (yet): setting it warns. */
  readonly ineffective?: string
}

/** One flag: its type, its default, and its purpose. */
export interface Flag<Value> extends FlagOptions {
  /** The type in help: `duration`, `strings`. */
  readonly kind: string
  readonly initial: Value
  readonly help: string
  /** The argument of a flag without one (`--profiling`); absent: an argument must follow. */
  readonly alone?: string
  /**
   * Parses one argument. `earlier` is the value of previous occurrences of the flag; undefined on the first. Throws an
   * Error that describes the problem: `"x" is not a duration`.
   */
  read(argument: string, earlier: Value | undefined): Value
  /** The value as on a command line; '' for an empty one. */
  show(value: Value): string
}

/** Flags by their names, in groups by their titles. */
export type FlagGroups = Readonly<Record<string, Readonly<Record<string, Flag<unknown>>>>>

type ValueOf<Entry> = Entry extends Flag<infer Value> ? Value : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The values of all groups' flags by name. */
export type FlagValues<Groups extends FlagGroups> = {
  readonly [Name in keyof Merged<Groups[keyof Groups]>]: ValueOf<Merged<Groups[keyof Groups]>[Name]>
}

/** An invalid command line; the message is one line for its author. */
export class FlagError extends Error {
  override readonly name = 'FlagError'
}
