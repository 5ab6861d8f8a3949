import type { Flag, FlagGroups } from './flag.ts'

const indent = 6
const nameColumns = 38

/** The flags by group with their defaults, wrapped to `columns` (at least 60). */
export function formatHelp(groups: FlagGroups, columns = 100): string {
  const width = Math.max(60, columns)
  return Object.entries(groups)
    .map(([title, flags]) => {
      const lines = Object.entries(flags)
        .filter(([, flag]) => !flag.hidden)
        .map(([name, flag]) => formatFlag(name, flag, width))
      return lines.length === 0 ? '' : `${title}:\n\n${lines.join('\n')}\n`
    })
    .filter((part) => part !== '')
    .join('\n')
}

function formatFlag(name: string, flag: Flag<unknown>, width: number): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `
  const head = `  ${short}--${name}${flag.kind === '' ? '' : ` ${flag.kind}`}`
  const lines = wrap(describe(flag), width - indent - nameColumns)
  const column = ' '.repeat(indent + nameColumns)
  const fits = head.length < column.length
  const first = fits ? `${head.padEnd(column.length)}${lines.shift() ?? ''}` : head
  return [first, ...lines.map((line) => column + line)].join('\n')
}

function describe(flag: Flag<unknown>): string {
  const shown = flag.show(flag.initial)
  const isBlank = shown === '' || shown === 'false'
  return [
    flag.help,
    isBlank ? '' : `(default ${flag.kind === 'string' ? `"${shown}"` : shown})`,
    flag.deprecated === undefined ? '' : `(deprecated: ${flag.deprecated})`,
    flag.ineffective === undefined ? '' : '(accepted, no effect)',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
