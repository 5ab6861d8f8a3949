import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Unit of strings: any character but a lone surrogate, as fast-check's 'binary'. That one maps all of them back to numbers
 * first, for seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count))
