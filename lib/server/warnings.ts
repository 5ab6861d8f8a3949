import type { Warnings } from '../request/index.ts'

/** Beyond this many characters in total, every warning is cut to `cutCharacters`. */
export const warningCharactersMax = 4096
const cutCharacters = 256
const warningsMax = 1024

/** The warnings of one request: each text once, and limited in total to what headers can hold. */
export function createWarnings(): Warnings {
  const texts = new Set<string>()
  let characters = 0
  return {
    add(text) {
      if (text === '' || texts.has(text) || texts.size >= warningsMax) return
      texts.add(text)
      characters += text.length
    },
    list() {
      if (characters <= warningCharactersMax) return [...texts]
      const kept: string[] = []
      let left = warningCharactersMax
      for (const text of texts) {
        const cut = text.slice(0, cutCharacters).toWellFormed()
        left -= cut.length
        if (left < 0) break
        kept.push(cut)
      }
      return kept
    },
  }
}

/** The value of a Warning header (RFC 7234, 5.5): code 299, no agent. */
export function warningHeader(text: string): string {
  // Header values are bytes: UTF-8, as latin1 for node; control characters would break the header.
  const quoted = text.replaceAll(control, ' ').replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`
}

// oxlint-disable-next-line no-control-regex -- the characters to replace
const control = /[\u0000-\u001f\u007f]/g
