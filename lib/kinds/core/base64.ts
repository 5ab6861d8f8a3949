/** Number of bytes that a padded base64 text encodes, without decoding it. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor(text.length / 4) * 3 - padding
}
