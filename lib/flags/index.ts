// flags: parses command lines in the form of Kubernetes' programs, from typed tables: a flag's name, value and meaning
// are data, and its value is typed. Invariant: a word that isn't understood is refused with one line, never guessed.
// Must not know any program's flags, nor read the environment or files.

export { type Flag, FlagError, type FlagValues } from './flag.ts'
export { formatHelp } from './help.ts'
export {
  bool,
  commaList,
  durationMs,
  float,
  integer,
  integerList,
  ipAddress,
  keyValues,
  labelledLists,
  namedCertKeys,
  portRange,
  quantity,
  repeated,
  text,
  verbosityPatterns,
  versionRequest,
} from './kinds.ts'
export { nearest } from './nearest.ts'
export { type ParsedFlags, parseFlags } from './parse.ts'
export { showFlags } from './show.ts'
