/** Thrown for a script that this shell can't run. */
export class ScriptError extends Error {}

/** A word is joined from its parts. */
type WordPart = { readonly text: string } | { readonly variable: string }
export type Word = readonly WordPart[]

interface SimpleCommand {
  readonly kind: 'simple'
  readonly words: readonly Word[]
  /** Where its outputs go. */
  readonly output: Target
  readonly errors: Target
}

type Target = 'output' | 'errors' | 'nowhere'

interface LoopCommand {
  readonly kind: 'loop'
  /** The loop ends once the condition's success is this. */
  readonly endsOn: boolean
  readonly condition: Script
  readonly body: Script
}

interface ChoiceCommand {
  readonly kind: 'choice'
  readonly condition: Script
  readonly body: Script
  readonly otherwise: Script | undefined
}

export type Command = SimpleCommand | LoopCommand | ChoiceCommand

/** Commands in order; one after `&&` or `||` runs only after a success or a failure. */
export type Script = readonly { readonly after: ';' | '&&' | '||'; readonly command: Command }[]

type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly plain: string | undefined }
  | { readonly kind: 'operator'; readonly text: string }

const nestingMax = 20
/** Longer scripts take too long to parse. */
const scriptCharactersMax = 64 * 1024

/** Throws ScriptError for what this shell does not know: pipes, files, functions, substitutions. */
export function parseScript(text: string): Script {
  if (text.length > scriptCharactersMax) throw new ScriptError('the script is too long')
  const tokens = tokenize(text)
  const parser = new Parser(tokens)
  const script = parser.script(new Set())
  if (!parser.atEnd) throw new ScriptError(`unexpected ${parser.shown}`)
  return script
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  get shown(): string {
    const token = this.#tokens[this.#at]
    return token === undefined ? 'end' : `"${token.kind === 'operator' ? token.text : (token.plain ?? 'word')}"`
  }

  /** Until one of the words, which is left. */
  script(until: ReadonlySet<string>): Script {
    if (++this.#depth > nestingMax) throw new ScriptError('too deeply nested')
    const steps: { after: ';' | '&&' | '||'; command: Command }[] = []
    let after: ';' | '&&' | '||' = ';'
    for (;;) {
      while (this.#operator(';')) after = ';'
      if (this.atEnd || until.has(this.#plain())) break
      steps.push({ after, command: this.#command() })
      if (this.#operator('&&')) after = '&&'
      else if (this.#operator('||')) after = '||'
      else if (this.#operator(';')) after = ';'
      else if (!this.atEnd && !until.has(this.#plain())) throw new ScriptError(`unexpected ${this.shown}`)
    }
    this.#depth--
    return steps
  }

  #command(): Command {
    const first = this.#plain()
    if (first === 'while' || first === 'until') {
      this.#at++
      const condition = this.script(new Set(['do']))
      this.#expect('do')
      const body = this.script(new Set(['done']))
      this.#expect('done')
      return { kind: 'loop', endsOn: first === 'until', condition, body }
    }
    if (first === 'if') {
      this.#at++
      const condition = this.script(new Set(['then']))
      this.#expect('then')
      const body = this.script(new Set(['else', 'fi']))
      let otherwise: Script | undefined
      if (this.#plain() === 'else') {
        this.#at++
        otherwise = this.script(new Set(['fi']))
      }
      this.#expect('fi')
      return { kind: 'choice', condition, body, otherwise }
    }
    return this.#simple()
  }

  #simple(): SimpleCommand {
    const words: Word[] = []
    let output: Target = 'output'
    let errors: Target = 'errors'
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[++this.#at]) {
      if (token.kind === 'word') {
        words.push(token.word)
        continue
      }
      if (token.text === '>&2' || token.text === '1>&2') output = errors
      else if (token.text === '2>&1') errors = output
      else if (token.text === '>/dev/null') output = 'nowhere'
      else if (token.text === '2>/dev/null') errors = 'nowhere'
      else break
    }
    if (words.length === 0) throw new ScriptError(`unexpected ${this.shown}`)
    return { kind: 'simple', words, output, errors }
  }

  #plain(): string {
    const token = this.#tokens[this.#at]
    return token?.kind === 'word' ? (token.plain ?? '') : ''
  }

  #operator(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'operator' || token.text !== text) return false
    this.#at++
    return true
  }

  #expect(word: string): void {
    if (this.#plain() !== word) throw new ScriptError(`${word} expected before ${this.shown}`)
    this.#at++
  }
}

const redirection = /^(?:1?>&2|2>&1|2?>\s*\/dev\/null)(?=[\s;&|]|$)/
const variable = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*|\?))/

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let rest = text
  const take = (length: number): string => {
    const taken = rest.slice(0, length)
    rest = rest.slice(length)
    return taken
  }
  while (rest !== '') {
    const blank = /^(?:[ \t\r]+|\\\n|#[^\n]*)/.exec(rest)
    if (blank) {
      take(blank[0].length)
      continue
    }
    const redirected = redirection.exec(rest)
    if (redirected) {
      tokens.push({ kind: 'operator', text: take(redirected[0].length).replaceAll(/\s/g, '') })
      continue
    }
    const operator = /^(?:&&|\|\||[;\n])/.exec(rest)
    if (operator) {
      const shown = take(operator[0].length)
      tokens.push({ kind: 'operator', text: shown === '\n' ? ';' : shown })
      continue
    }
    const refused = /^[|&<>()`]/.exec(rest)
    if (refused) throw new ScriptError(`"${refused[0]}" is not known`)
    const { word, length, plain } = readWord(rest)
    take(length)
    tokens.push({ kind: 'word', word, plain })
  }
  return tokens
}

function readWord(text: string): { word: Word; length: number; plain: string | undefined } {
  const parts: WordPart[] = []
  let at = 0
  let isQuoted = false
  const add = (piece: string): void => void parts.push({ text: piece })
  const dollar = (): void => {
    const found = variable.exec(text.slice(at))
    if (!found) {
      if (/^\$[({]/.test(text.slice(at))) throw new ScriptError('substitutions are not known')
      add('$')
      at++
      return
    }
    parts.push({ variable: found[1] ?? found[2] ?? '' })
    at += found[0].length
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '$') dollar()
    else if (character === "'") {
      const end = text.indexOf("'", at + 1)
      if (end < 0) throw new ScriptError('a quote is not closed')
      add(text.slice(at + 1, end))
      isQuoted = true
      at = end + 1
    } else if (character === '"') {
      isQuoted = true
      at++
      while (text[at] !== '"') {
        if (at >= text.length) throw new ScriptError('a quote is not closed')
        if (text[at] === '`') throw new ScriptError('substitutions are not known')
        if (text[at] === '$') dollar()
        else {
          if (text[at] === '\\' && /["\\$`]/.test(text[at + 1] ?? '')) at++
          add(text[at] ?? '')
          at++
        }
      }
      at++
    } else if (character === '\\') {
      add(text[at + 1] ?? '')
      isQuoted = true
      at += 2
    } else if (/[\s;&|<>()`]/.test(character)) break
    else {
      add(character)
      at++
    }
  }
  const texts = parts.map((part) => ('text' in part ? part.text : undefined))
  const plain = isQuoted || texts.includes(undefined) ? undefined : texts.join('')
  return { word: merged(parts), length: at, plain }
}

/** Texts that follow each other become one part. */
function merged(parts: readonly WordPart[]): Word {
  const result: WordPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last && 'text' in last && 'text' in part) result[result.length - 1] = { text: last.text + part.text }
    else result.push(part)
  }
  return result
}
