/** How a flag is presented, apart from what it takes. */
export interface FlagOptions {
  /** One letter: `v` for `-v`. */
  readonly short?: string
  /** The replacement, or the reason why it goes away: setting the flag warns. Help shows it. */
  readonly deprecated?: string
  /** Taken, but not listed in help. */
  readonly hidden?: boolean
  /** Why a value other than the default changes nothing (yet): setting it warns. */
  readonly ineffective?: string
}

/** One flag: its kind of value, its default, and its purpose. */
export interface Flag<Value> extends FlagOptions {
  /** As help shows it: `duration`, `strings`. */
  readonly kind: string
  readonly initial: Value
  readonly help: string
  /** The argument that is meant when the flag stands alone (`--profiling`); absent: an argument must follow. */
  readonly alone?: string
  /**
   * Reads one argument. `earlier` is what previous occurrences of the flag came to; undefined on the first.
   * Throws an Error that says what is wrong with the argument: `"x" is not a duration`.
   */
  read(argument: string, earlier: Value | undefined): Value
  /** The value as one would write it; '' for an empty one. */
  show(value: Value): string
}

/** Flags under their names, under the titles of their groups. */
export type FlagGroups = Readonly<Record<string, Readonly<Record<string, Flag<unknown>>>>>

type ValueOf<Entry> = Entry extends Flag<infer Value> ? Value : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The values of all groups' flags under the flags' names. */
export type FlagValues<Groups extends FlagGroups> = {
  readonly [Name in keyof Merged<Groups[keyof Groups]>]: ValueOf<Merged<Groups[keyof Groups]>[Name]>
}

/** A command line that can't be followed; the message is one line for the person who wrote it. */
export class FlagError extends Error {
  override readonly name = 'FlagError'
}
