import { assert } from '../../base/index.ts'
import {
  type Cidr,
  cidrContains,
  type FieldError,
  type FieldPath,
  fieldErrors,
  parseCidr,
  parseIp,
} from '../../object/index.ts'

interface Range {
  readonly blocks: readonly Cidr[]
  readonly text: (address: string) => string
}

const ranges: readonly Range[] = [
  {
    blocks: blocksOf('0.0.0.0/32', '::/128'),
    text: (address) => `may not be unspecified (${JSON.stringify(address)})`,
  },
  { blocks: blocksOf('127.0.0.0/8', '::1/128'), text: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)' },
  {
    blocks: blocksOf('169.254.0.0/16', 'fe80::/10'),
    text: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    blocks: blocksOf('224.0.0.0/24', 'ff02::/16'),
    text: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
]

/** Refuses addresses that don't identify one other machine: unspecified, loopback and link-local ones. */
export function checkReachableAddress(errors: FieldError[], address: string, path: FieldPath): void {
  const ip = parseIp(address)
  if (!ip) {
    errors.push(fieldErrors.invalid(path, address, 'must be a valid IP address'))
    return
  }
  for (const { blocks, text } of ranges)
    if (blocks.some((block) => cidrContains(block, ip))) errors.push(fieldErrors.invalid(path, address, text(address)))
}

function blocksOf(...texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    const block = parseCidr(text)
    assert(block !== undefined, `${text} is a block of addresses`)
    return block
  })
}
