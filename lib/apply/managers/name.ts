/** Longest name of a manager; longer ones in requests are refused, those from a User-Agent are cut. */
const managerBytesMax = 128

/** The manager of a request without one: the printable part of its User-Agent before the first slash. */
export function managerFromUserAgent(userAgent: string | undefined): string {
  let manager = ''
  let bytes = 0
  for (const character of (userAgent ?? '').split('/', 1)[0] ?? '') {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) continue
    bytes += Buffer.byteLength(character)
    if (bytes > managerBytesMax) break
    manager += character
  }
  return manager === '' ? 'unknown' : manager
}
