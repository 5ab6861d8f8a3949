import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** A name resolves to a forbidden address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'

  constructor() {
    super('address not allowed')
  }
}

/**
 * Resolves names, and refuses those with any forbidden address. The check is part of connecting: after an earlier
 * check, the name might resolve to another address.
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
