interface Field {
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
]
const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])

/** The error of a schedule, which has cron's five fields or is a descriptor. Undefined when it is valid. */
export function scheduleError(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorError(schedule)
  const parts = schedule.trim().split(/\s+/)
  if (parts.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [index, part] of parts.entries()) {
    const field = fields[index]
    for (const range of part.split(',')) {
      const error = field && rangeError(range, field)
      if (error) return error
    }
  }
  return undefined
}

function descriptorError(schedule: string): string | undefined {
  if (descriptors.has(schedule)) return undefined
  const every = /^@every (.*)$/.exec(schedule)
  if (!every) return `unrecognized descriptor: ${schedule}`
  const text = every[1] ?? ''
  return /^([+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text)
    ? undefined
    : `failed to parse duration ${schedule}: time: invalid duration "${text}"`
}

/** `*`, `n`, `a-b`, each with `/step`; `?` is `*`. */
function rangeError(range: string, field: Field): string | undefined {
  const [span = '', step, ...more] = range.split('/')
  if (more.length > 0) return `too many slashes: ${range}`
  const [low = '', high, ...extra] = span.split('-')
  if (extra.length > 0) return `too many hyphens: ${range}`
  if (step !== undefined && (!/^\d+$/.test(step) || Number(step) === 0))
    return /^\d+$/.test(step) ? `step of range should be a positive number: ${range}` : numberError(step)
  if (low === '*' || low === '?') return undefined
  const start = parseValue(low, field)
  if (start === undefined) return numberError(low)
  const end = high === undefined ? start : parseValue(high, field)
  if (end === undefined) return numberError(high ?? '')
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${range}`
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${range}`
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${range}` : undefined
}

function parseValue(text: string, field: Field): number | undefined {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function numberError(text: string): string {
  return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`
}
