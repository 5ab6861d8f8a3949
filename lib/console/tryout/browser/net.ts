// The address checks of node:net, for the page.

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)

export function isIPv4(text: string): boolean {
  return ipv4.test(text)
}

/** Also with a zone (`fe80::1%eth0`). */
export function isIPv6(text: string): boolean {
  const [address = '', ...zone] = text.split('%')
  if (zone.length > 1 || (zone.length === 1 && !/^[0-9A-Za-z\-.:]+$/.test(zone[0] ?? ''))) return false
  const halves = address.split('::')
  if (halves.length > 2) return false
  const isShort = halves.length === 2
  let groups = 0
  for (const [at, half] of halves.entries()) {
    if (half === '') {
      if (!isShort) return false
      continue
    }
    const parts = half.split(':')
    for (const [index, part] of parts.entries()) {
      const isLast = at === halves.length - 1 && index === parts.length - 1
      if (isLast && part.includes('.')) {
        if (!isIPv4(part)) return false
        groups += 2
      } else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups++
      else return false
    }
  }
  return isShort ? groups < 8 : groups === 8
}
