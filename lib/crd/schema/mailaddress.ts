import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whether a text is one address of RFC 5322, by the stock server's parser: `a@b`, `Name <a@b>`, `a@b (name)`, or a
 * group of one. Characters beyond ASCII are letters (RFC 6532), and lines are not folded.
 */
export function isMailAddress(text: string): boolean {
  const reader = new AddressReader(text)
  return reader.address(true) === 1 && reader.comments() && reader.isAtEnd
}

/** Letters of an atom: all printable characters but specials; dots separate atoms. */
const atoms = /[^\u0000-\u0020\u007f()<>[\]:;@\\,"]+/uy // eslint-disable-line no-control-regex -- no letters of an atom
const quoted = /"((?:[^\u0000-\u0008\u000a-\u001f\u007f"\\]|\\[^\u0000-\u0008\u000a-\u001f\u007f])*)"/uy // eslint-disable-line no-control-regex -- likewise
const literal = /\[([^\u0000-\u0020\u007f[\]\\]*)\]/uy // eslint-disable-line no-control-regex -- see above
const space = /[ \t]*/y

class AddressReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** The number of mailboxes of an address or a group; undefined: invalid. */
  address(isGroupAllowed: boolean): number | undefined {
    this.#match(space)
    if (this.#mailbox()) {
      this.#match(space)
      if (this.#text[this.#at] !== '(') return 1
      return this.#comment((words) => words.split(/[ \t]+/).every((word) => !hasUnknownCharset(word))) ? 1 : undefined
    }
    if (this.#text[this.#at] !== '<' && !this.#phrase()) return undefined
    this.#match(space)
    if (isGroupAllowed && this.#take(':')) return this.#group()
    return this.#take('<') && this.#mailbox() && this.#take('>') ? 1 : undefined
  }

  /** Skips comments and the space around them; false: one of them has no end. */
  comments(): boolean {
    this.#match(space)
    while (this.#text[this.#at] === '(') {
      if (!this.#comment()) return false
      this.#match(space)
    }
    return true
  }

  #group(): number | undefined {
    this.#match(space)
    if (this.#take(';')) return this.comments() ? 0 : undefined
    for (let count = 1; ; count++) {
      if (this.address(false) === undefined || !this.comments()) return undefined
      if (this.#take(';')) return this.comments() ? count : undefined
      if (!this.#take(',')) return undefined
    }
  }

  /** Reads `local@domain`; reads nothing where there is none. */
  #mailbox(): boolean {
    const start = this.#at
    this.#match(space)
    const isQuoted = this.#text[this.#at] === '"'
    const local = isQuoted ? this.#match(quoted)?.[1] !== '' && this.#at > start : this.#dotAtom()
    if (local && this.#take('@')) {
      this.#match(space)
      if (this.#text[this.#at] === '[' ? isIp(this.#match(literal)?.[1] ?? '') : this.#dotAtom()) return true
    }
    this.#at = start
    return false
  }

  #dotAtom(): boolean {
    const atom = this.#match(atoms)?.[0] ?? ''
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..')
  }

  /** Reads the words of a name; comments may follow each. */
  #phrase(): boolean {
    for (let count = 0; ; count++) {
      if (count > 0 && !this.comments()) return false
      this.#match(space)
      if (this.isAtEnd) return true
      const word = this.#match(this.#text[this.#at] === '"' ? quoted : atoms)
      if (!word || hasUnknownCharset(word[0])) return count > 0
    }
  }

  /** Reads one comment, with those within it. */
  #comment(isFine: (words: string) => boolean = () => true): boolean {
    const from = this.#at + 1
    let depth = 0
    do {
      const character = this.#text[this.#at++]
      if (character === undefined) return false
      if (character === '\\' && this.#at < this.#text.length) this.#at++
      else if (character === '(') depth++
      else if (character === ')') depth--
    } while (depth > 0)
    return isFine(this.#text.slice(from, this.#at - 1).replaceAll(/\\([^])/g, '$1'))
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (!found) return undefined
    this.#at = pattern.lastIndex
    return found
  }
}

function isIp(text: string): boolean {
  return isIPv4(text) || (isIPv6(text) && !text.includes('%'))
}

const charsets = new Set(['utf-8', 'iso-8859-1', 'us-ascii'])

/** An encoded word (RFC 2047) in an unknown character set. A malformed one is a plain word. */
function hasUnknownCharset(word: string): boolean {
  const [, charset = '', encoding = '', content = ''] = /^=\?([^?]+)\?([bq])\?([^?]*)\?=$/i.exec(word) ?? []
  if (charset === '' || charsets.has(charset.toLowerCase())) return false
  if (encoding.toLowerCase() === 'b')
    return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(content)
  return /^(?:=[0-9a-f]{2}|[ -<>-~\n\r\t])*$/i.test(content)
}
