// Reads the commands of a Markdown page, so that a test can run them.

/** One fenced block of commands: ```sh on=… */
export interface GuideBlock {
  /** The heading above it. */
  readonly section: string
  /** The word after `on=`: the machines that run it. */
  readonly on: string
  readonly text: string
  /** Line of the page, for messages. */
  readonly line: number
}

const fence = /^```(.*)$/

/** All fenced blocks. Throws where a block says not where it runs: every command of the page is one that a test can run. */
export function readGuide(markdown: string): readonly GuideBlock[] {
  const blocks: GuideBlock[] = []
  let section = ''
  let open: { on: string; line: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const mark = fence.exec(line)
    if (open !== undefined) {
      if (mark === null) open.lines.push(line)
      else {
        blocks.push({ section, on: open.on, text: open.lines.join('\n'), line: open.line })
        open = undefined
      }
    } else if (mark === null) section = /^## (.*)$/.exec(line)?.[1] ?? section
    else {
      const on = /^sh on=([\w-]+)$/.exec(mark[1] ?? '')?.[1]
      if (on === undefined) throw new Error(`line ${index + 1}: a block begins with \`\`\`sh on=MACHINES, not ${line}`)
      open = { on, line: index + 1, lines: [] }
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block has no end`)
  return blocks
}

/** A piece of a block: lines for the shell, or one command that the test performs itself. */
export interface GuideStep {
  /** Name of its replacement; undefined: the shell runs it. */
  readonly standIn: string | undefined
  readonly text: string
}

/** Splits a block at the commands that are replaced; each of them begins a line and takes one line. */
export function splitSteps(text: string, standIns: readonly string[]): readonly GuideStep[] {
  const steps: GuideStep[] = []
  let lines: string[] = []
  const flush = (): void => {
    if (lines.some((line) => line.trim() !== '')) steps.push({ standIn: undefined, text: lines.join('\n') })
    lines = []
  }
  for (const line of text.split('\n')) {
    const standIn = standIns.find((name) => line.startsWith(`${name} `))
    if (standIn === undefined) {
      lines.push(line)
      continue
    }
    flush()
    steps.push({ standIn, text: line })
  }
  flush()
  return steps
}
