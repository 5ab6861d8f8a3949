/** Without vowels and 0, 1 and 3, so that generated names spell no words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** The decimal digits of a hash in letters, as the stock controllers write hashes into names. */
export function wordless(hash: number): string {
  return Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length] ?? '').join('')
}
