import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** A name leads to an address that may not be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  constructor() {
    super('address not allowed')
  }
}

/**
 * Looks names up, and refuses those of which any address is not allowed. It does so as a connection is made: asked
 * earlier, the name might lead elsewhere by then.
 */
export function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const [first] = found
      if (!first || !found.every(({ address }) => isAllowed(address))) return done(new AddressRefused(), [])
      if (options.all === true) done(null, found)
      else done(null, first.address, first.family)
    })
  }
}
