interface ServingNameOptions {
  /** --service-cluster-ip-range, its first range: '10.0.0.0/24'. */
  readonly serviceRange?: string
  /** Name of this machine, lower case. */
  readonly hostName?: string
  /** --advertise-address, --bind-address, --external-hostname: names and addresses; empty ones and wildcards are dropped. */
  readonly more?: readonly string[]
}

/** The names in a serving certificate: the service's names, the machine's, and addresses. */
export function servingNames({ serviceRange, hostName, more = [] }: ServingNameOptions): string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    ...(serviceRange === undefined || serviceRange === '' ? [] : [firstServiceAddress(serviceRange)]),
    ...(hostName === undefined ? [] : [hostName.toLowerCase()]),
    ...more,
  ]
  return [...new Set(names)].filter((name) => name !== '' && name !== '0.0.0.0' && name !== '::')
}

/** The first address of a range after the range's own, which the kubernetes service has: 10.0.0.0/24 → 10.0.0.1. */
export function firstServiceAddress(range: string): string {
  const [address = '', length = ''] = range.split('/')
  if (!isAddress(address) || !/^\d+$/.test(length)) throw new Error(`"${range}" is not a range of addresses`)
  const bytes = encodeAddress(address)
  const bits = Number(length)
  if (bits > bytes.length * 8) throw new Error(`"${range}" is not a range of addresses`)
  for (let bit = bits; bit < bytes.length * 8; bit++) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) & ~(0x80 >>> (bit & 7))
  for (let at = bytes.length - 1; at >= 0; at--) {
    bytes[at] = ((bytes[at] ?? 0) + 1) & 0xff
    if (bytes[at] !== 0) break
  }
  return decodeAddress(bytes)
}

export function isAddress(text: string): boolean {
  const octets = text.split('.')
  if (octets.length === 4 && octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) < 256)) return true
  return /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(text) && URL.canParse(`http://[${text}]/`)
}

/** Four or sixteen bytes. */
export function encodeAddress(text: string): Buffer {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number))
  // The URL parser writes every IPv6 address in canonical form.
  const [left = '', right] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::')
  const groups = (part: string | undefined): string[] => (part === undefined || part === '' ? [] : part.split(':'))
  const zeros = 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array.from({ length: right === undefined ? 0 : zeros }, () => '0'), ...groups(right)]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}

export function decodeAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}
