/** 1 for characters of names. */
const nameCharacters = new Uint8Array(128)
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
  nameCharacters[character.charCodeAt(0)] = 1

/**
 * Whether the bytes from `start` on are a token without capitals (RFC 9110, section 5.6.2; RFC 9113, section 8.2.1).
 */
export function isHeaderName(name: string, start = 0): boolean {
  for (let at = start; at < name.length; at++) if (nameCharacters[name.charCodeAt(at)] !== 1) return false
  return name.length > start
}
