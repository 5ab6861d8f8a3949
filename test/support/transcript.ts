import assert from 'node:assert/strict'
import type { Stage } from './stages.ts'
import { splitArguments } from './stages.ts'

/**
 * A session with kubectl in a file:
 *
 *   # Scaling changes replicas          the title of a case; its steps follow
 *   $ scale deployment web --replicas=3 runs on the server that is written to; `NAME='value' args` sets the environment
 *   % get deployment web -o name        runs on the server that is read from
 *   | text                              standard input
 *   ? 1                                 the exit code, when it isn't 0
 *   deployment.apps/web                 what is printed: standard output, then errors
 *
 * In what is printed … stands for any text within the line, and a line of nothing else for any lines.
 */
export interface TranscriptCase {
  readonly title: string
  readonly steps: readonly Step[]
}

interface Step {
  readonly on: 'write' | 'read'
  readonly line: string
  input: string
  code: number
  printed: string
}

export function parseTranscript(text: string): TranscriptCase[] {
  const cases: { title: string; steps: Step[] }[] = []
  for (const line of text.split('\n')) {
    const rest = line.slice(2)
    const steps = cases.at(-1)?.steps
    const step = steps?.at(-1)
    if (line.startsWith('# ')) cases.push({ title: rest, steps: [] })
    else if (/^[$%] /.test(line))
      steps?.push({ on: line.startsWith('$') ? 'write' : 'read', line: rest, input: '', code: 0, printed: '' })
    else if (step && /^\|( |$)/.test(line)) step.input += `${rest}\n`
    else if (step && line.startsWith('? ')) step.code = Number(rest)
    else if (step && line !== '') step.printed += `${line}\n`
  }
  return cases
}

/** Runs a case in a namespace; throws with the step that went otherwise. */
export async function runTranscript({ steps }: TranscriptCase, stage: Stage, namespace: string): Promise<void> {
  for (const { on, line, input, code, printed } of steps) {
    const words = splitArguments(line)
    const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
    const env = Object.fromEntries(
      words.slice(0, first).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
    )
    const result = await stage[on]([`--namespace=${namespace}`, ...words.slice(first)], { input, env })
    // Empty lines are for people; kubectl's come and go.
    const actual = `${result.stdout}\n${result.stderr}`.replaceAll(/\n{2,}/g, '\n').replace(/^\n/, '')
    const where = `kubectl ${line}`
    if (!patternOf(printed).test(actual)) assert.equal(`${where}\n${actual}`, `${where}\n${printed}`)
    assert.equal(result.code, code, `${where}\n${actual}`)
  }
}

function patternOf(printed: string): RegExp {
  const lines = printed.split('\n').map((line) => {
    if (line === '…') return '(?:.*\n)*?'
    const quoted = line.split('…').map((part) => RegExp.escape(part))
    return `${quoted.join('.*')}${'\n'}`
  })
  // The text after the last line end is empty.
  return new RegExp(`^${lines.slice(0, -1).join('')}\n?$`)
}
