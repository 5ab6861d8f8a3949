import { type FieldPath, lineOf, outlineYaml } from './yamloutline.ts'

/** A problem with a text. */
export interface LineProblem {
  /** Index of the line; -1 where none is known. */
  readonly line: number
  readonly message: string
}

const problemsMax = 100

/**
 * The problems that a Status reports about the text, at their lines: causes of a validation by their fields; fields that the kind does
 * not have, and lines that are no YAML, by what the message names, as such a Status has no causes.
 */
export function problemsIn(status: Readonly<Record<string, unknown>>, text: string): LineProblem[] {
  const outline = outlineYaml(text)
  const details = isRecord(status['details']) ? status['details'] : {}
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isRecord) : []
  const message = String(status['message'] ?? '')
  const found: LineProblem[] = causes
    .filter(({ field }) => typeof field === 'string')
    .map((cause) => ({
      line: lineOf(parseFieldPath(String(cause['field'])), outline),
      message: `${String(cause['field'])}: ${String(cause['message'] ?? '')}`,
    }))
  if (found.length > 0) return found.slice(0, problemsMax)
  for (const [words, , field = ''] of message.matchAll(/(unknown|duplicate) field "([^"]+)"/g))
    found.push({ line: lineOf(parseFieldPath(field), outline), message: words })
  for (const [words, line] of message.matchAll(/\bline (\d+): [^\n,(]*/g))
    found.push({ line: Number(line) - 1, message: words.trim() })
  return found.slice(0, problemsMax)
}

/** `spec.containers[0].ports[1]`, `data[a.b]`. */
function parseFieldPath(field: string): FieldPath {
  const steps = [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)]
  return steps.map(([, inBrackets, name]) =>
    inBrackets === undefined ? (name ?? '') : /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
