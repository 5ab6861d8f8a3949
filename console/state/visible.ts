/**
 * Characters that change how others around them look: controls, bidirectional marks and overrides, and those without a
 * width. Tabs and line ends stay.
 */
const invisible = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with every such character as a visible sign: an escape as ␛, an override of direction as ⟨202e⟩. */
export function visible(text: string): string {
  return text.replaceAll(invisible, signOf)
}

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x24_00 + code)
  if (code === 0x7f) return '\u2421'
  return `⟨${code.toString(16).padStart(4, '0')}⟩`
}

/** The beginning of a long text, and how much of it is left out. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax)}… (+${text.length - charactersMax})`
}
