import { formatCidr, formatIp, ipWidths, parseCidr, parseIp, quote } from '../../object/index.ts'

const outdated = 'will be considered invalid in a future Kubernetes release: use'
const canonical = 'should be in RFC 5952 canonical format'

/**
 * Warns of an address in a form that older servers accepted: numbers with leading zeros, IPv4 as IPv6, IPv6 in full
 * length.
 */
export function ipWarnings(path: string, value: string): string[] {
  const ip = parseIp(value)
  const preferred = ip && formatIp(ip)
  if (ip === undefined || value === preferred) return []
  return ip.family === 'IPv4'
    ? [`${path}: non-standard IP address ${quote(value)} ${outdated} ${quote(preferred ?? '')}`]
    : [`${path}: IPv6 address ${quote(value)} ${canonical} (${quote(preferred ?? '')})`]
}

/** As ipWarnings for a CIDR block, which may also have more bits than its prefix. */
export function cidrWarnings(path: string, value: string): string[] {
  const [address = '', length = ''] = value.split('/')
  const cidr = parseCidr(value)
  const ip = parseIp(address)
  if (cidr === undefined || ip === undefined) return []
  const shown = formatIp(ip)
  const found: string[] = []
  if (ip.value !== cidr.base) {
    const one = quote(`${shown}/${ipWidths[ip.family]}`)
    found.push(
      `${path}: CIDR value ${quote(value)} is ambiguous in this context (should be ${quote(formatCidr(cidr))} or ${one}?)`,
    )
  }
  if ((ip.family === 'IPv4' && address !== shown) || length !== String(cidr.bits))
    found.push(`${path}: non-standard CIDR value ${quote(value)} ${outdated} ${quote(formatCidr(cidr))}`)
  else if (found.length === 0 && address !== shown)
    found.push(`${path}: IPv6 CIDR value ${quote(value)} ${canonical} (${quote(`${shown}/${length}`)})`)
  return found
}
