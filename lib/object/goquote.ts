/** A text in double quotes in the form of errors of Go's time package: bytes outside of printable ASCII as \xNN. */
export function quoteGo(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = '"'
  for (const byte of Buffer.from(text)) {
    if (byte === 0x22 || byte === 0x5c) quoted += `\\${String.fromCharCode(byte)}`
    else if (byte < 0x20 || byte > 0x7e) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += String.fromCharCode(byte)
  }
  return `${quoted}"`
}
