// flags: command lines as Kubernetes' programs take them, from typed tables: a flag's name, value and meaning are data;
// the values come out typed. Invariant: a word that isn't understood is refused with one line, never guessed at. Must
// not know any program's flags, nor read the environment or files.

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
