/**
 * Compiles generated source: a function body in which `H` are helpers and `B` the codecs of other structs. The source is
 * made of the tables in api/ alone, never of anything that came over the wire, and every name in it is escaped as JSON.
 */
export function generate<Made>(body: string, helpers: object, boxes: readonly object[]): Made {
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function('H', 'B', body)(helpers, boxes) as Made
}
