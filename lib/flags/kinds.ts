import { canonicalQuantity, formatDuration, parseDurationMs } from '../object/index.ts'
import { readCsv } from './csv.ts'
import type { Flag, FlagOptions } from './flag.ts'

/** A certificate and its key, and the host names that they serve (empty: those in the certificate). */
export interface NamedCertKey {
  readonly certFile: string
  readonly keyFile: string
  readonly names: readonly string[]
}

/** Both ends are included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** Spellings of booleans that scripts use. */
export function bool(initial: boolean, help: string, options: FlagOptions = {}): Flag<boolean> {
  return { kind: '', initial, help, alone: 'true', read: readBool, show: String, ...options }
}

export function text(initial: string, help: string, options: FlagOptions = {}): Flag<string> {
  return { kind: 'string', initial, help, read: (argument) => argument, show: (value) => value, ...options }
}

export function integer(
  initial: number,
  help: string,
  options: FlagOptions & { min?: number; max?: number } = {},
): Flag<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, ...rest } = options
  return { kind: 'int', initial, help, read: (argument) => readInteger(argument, min, max), show: String, ...rest }
}

export function float(initial: number, help: string, options: FlagOptions = {}): Flag<number> {
  return { kind: 'float', initial, help, read: readFloat, show: String, ...options }
}

/** A duration such as `1h30m`, in milliseconds. `initial` is written the same way. */
export function durationMs(initial: string, help: string, options: FlagOptions = {}): Flag<number> {
  return {
    kind: 'duration',
    initial: parseDurationMs(initial),
    help,
    read: readDuration,
    show: showDuration,
    ...options,
  }
}

/** An amount such as `64Mi`, in its canonical form. */
export function quantity(initial: string, help: string, options: FlagOptions = {}): Flag<string> {
  return { kind: 'quantity', initial, help, read: readQuantity, show: (value) => value, ...options }
}

/** An IPv4 or IPv6 address; '' when not set. */
export function ipAddress(initial: string, help: string, options: FlagOptions = {}): Flag<string> {
  return { kind: 'ip', initial, help, read: readIpAddress, show: (value) => value, ...options }
}

/** Texts, separated by commas; the flag may be repeated. */
export function commaList(
  initial: readonly string[],
  help: string,
  options: FlagOptions = {},
): Flag<readonly string[]> {
  const read = (argument: string, earlier: readonly string[] = []): readonly string[] => [
    ...earlier,
    ...readCsv(argument),
  ]
  return { kind: 'strings', initial, help, read, show: (value) => value.join(','), ...options }
}

/** Texts, one for each occurrence of the flag (commas are part of the text). */
export function repeated(initial: readonly string[], help: string, options: FlagOptions = {}): Flag<readonly string[]> {
  const read = (argument: string, earlier: readonly string[] = []): readonly string[] => [...earlier, argument]
  return { kind: 'stringArray', initial, help, read, show: (value) => value.join(','), ...options }
}

export function integerList(
  initial: readonly number[],
  help: string,
  options: FlagOptions = {},
): Flag<readonly number[]> {
  const read = (argument: string, earlier: readonly number[] = []): readonly number[] => [
    ...earlier,
    ...readCsv(argument).map((each) => readInteger(each, -(2 ** 31), 2 ** 31 - 1)),
  ]
  return { kind: 'ints', initial, help, read, show: (value) => value.join(','), ...options }
}

/**
 * `key=value,key2=value2`; the flag may be repeated, and the last value of a key is used. A key alone has the value ''.
 */
export function keyValues(help: string, options: FlagOptions = {}): Flag<ReadonlyMap<string, string>> {
  return { kind: 'mapStringString', initial: new Map(), help, read: readKeyValues, show: showKeyValues, ...options }
}

/** `metric,label=a,b,c`, one for each occurrence: the text before `=` is the key, the rest a list. */
export function labelledLists(help: string, options: FlagOptions = {}): Flag<ReadonlyMap<string, readonly string[]>> {
  return {
    kind: 'stringToString',
    initial: new Map(),
    help,
    read: readLabelledList,
    show: showLabelledLists,
    ...options,
  }
}

/** `certificate,key` or `certificate,key:name,name`; the flag may be repeated. */
export function namedCertKeys(help: string, options: FlagOptions = {}): Flag<readonly NamedCertKey[]> {
  const read = (argument: string, earlier: readonly NamedCertKey[] = []): readonly NamedCertKey[] => [
    ...earlier,
    readNamedCertKey(argument),
  ]
  return { kind: 'namedCertKey', initial: [], help, read, show: showNamedCertKeys, ...options }
}

/** `30000-32767`, `30000+2767` or one port. */
export function portRange(initial: PortRange, help: string, options: FlagOptions = {}): Flag<PortRange> {
  const show = ({ first, last }: PortRange): string => `${first}-${last}`
  return { kind: 'portRange', initial, help, read: readPortRange, show, ...options }
}

/** `pattern=2,other=4`: verbosity by file. */
export function verbosityPatterns(help: string, options: FlagOptions = {}): Flag<ReadonlyMap<string, number>> {
  const read = (argument: string): ReadonlyMap<string, number> =>
    new Map([...readKeyValues(argument)].map(([pattern, level]) => [pattern, readInteger(level, 0, 2 ** 31 - 1)]))
  return { kind: 'pattern=N,...', initial: new Map(), help, read, show: showKeyValues, ...options }
}

/** `--version`, `--version=raw`. */
export function versionRequest(help: string, options: FlagOptions = {}): Flag<'false' | 'true' | 'raw'> {
  const read = (argument: string): 'false' | 'true' | 'raw' =>
    argument === 'raw' ? 'raw' : readBool(argument) ? 'true' : 'false'
  return { kind: 'version', initial: 'false', help, alone: 'true', read, show: String, ...options }
}

function readBool(argument: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(argument)) return true
  if (/^(0|f|F|false|FALSE|False)$/.test(argument)) return false
  throw new Error(`"${argument}" is neither true nor false`)
}

function readInteger(argument: string, min: number, max: number): number {
  const value = /^[+-]?\d+$/.test(argument) ? Number(argument) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new Error(`"${argument}" is not a whole number`)
  if (min === max && value !== min) throw new Error(`${argument} is not ${min}, the one value that there is`)
  if (value < min || value > max) throw new Error(`${argument} is not between ${min} and ${max}`)
  return value
}

function readFloat(argument: string): number {
  const value = argument.trim() === '' ? Number.NaN : Number(argument)
  if (!Number.isFinite(value)) throw new Error(`"${argument}" is not a number`)
  return value
}

function readDuration(argument: string): number {
  try {
    return parseDurationMs(argument)
  } catch (cause) {
    throw new Error(`"${argument}" is not a duration (300ms, 10s, 1h30m)`, { cause })
  }
}

function showDuration(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e6)))
}

function readQuantity(argument: string): string {
  try {
    return canonicalQuantity(argument)
  } catch (cause) {
    throw new Error(`"${argument}" is not a quantity (1000, 64Mi)`, { cause })
  }
}

function readIpAddress(argument: string): string {
  const octets = argument.split('.')
  const isV4 = octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)
  const isV6 = /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(argument) && URL.canParse(`http://[${argument}]/`)
  if (argument !== '' && !isV4 && !isV6) throw new Error(`"${argument}" is not an IP address`)
  return argument
}

function readKeyValues(
  argument: string,
  earlier: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const pairs = new Map(earlier)
  for (const part of argument.split(',')) {
    if (part.trim() === '') continue
    const [key = '', ...rest] = part.split('=')
    if (key.trim() === '') throw new Error(`"${part}" is not of the form key=value`)
    pairs.set(key.trim(), rest.join('=').trim())
  }
  return pairs
}

function showKeyValues(pairs: ReadonlyMap<string, unknown>): string {
  return Array.from(pairs, ([key, value]) => `${key}=${String(value)}`).join(',')
}

function readLabelledList(
  argument: string,
  earlier: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadonlyMap<string, readonly string[]> {
  const at = argument.indexOf('=')
  if (at < 1) throw new Error(`"${argument}" is not of the form metric,label=value,value`)
  const list = argument.slice(at + 1).replace(/^(['"])(.*)\1$/, '$2')
  return new Map(earlier).set(argument.slice(0, at), list === '' ? [] : list.split(','))
}

function showLabelledLists(lists: ReadonlyMap<string, readonly string[]>): string {
  return Array.from(lists, ([key, values]) => `${key}=${values.join(',')}`).join(' ')
}

function readNamedCertKey(argument: string): NamedCertKey {
  const at = argument.indexOf(':')
  const [files, names] = at < 0 ? [argument, ''] : [argument.slice(0, at), argument.slice(at + 1)]
  const [certFile = '', keyFile = '', ...more] = files.split(',').map((file) => file.trim())
  if (certFile === '' || keyFile === '' || more.length > 0)
    throw new Error(`"${argument}" is not of the form certificate,key or certificate,key:name,name`)
  return { certFile, keyFile, names: names === '' ? [] : names.split(',').map((name) => name.trim()) }
}

function showNamedCertKeys(pairs: readonly NamedCertKey[]): string {
  return pairs
    .map(({ certFile, keyFile, names }) => `${certFile},${keyFile}${names.length > 0 ? `:${names.join(',')}` : ''}`)
    .join(';')
}

function readPortRange(argument: string): PortRange {
  const [, from = '', sign = '', to = ''] = /^(\d+)(?:([-+])(\d+))?$/.exec(argument.trim()) ?? []
  const first = Number(from)
  const last = sign === '' ? first : sign === '-' ? Number(to) : first + Number(to)
  if (from === '' || last > 65535 || first > last)
    throw new Error(`"${argument}" is not a range of ports (30000-32767)`)
  return { first, last }
}
