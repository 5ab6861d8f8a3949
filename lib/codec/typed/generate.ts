/**
 * Compiles generated source: a function body in which `H` are helpers and `B` the codecs of other structs. The source
 * comes from the tables in api/ alone, never from a client, and every name in it is escaped as JSON.
 */
export function generate<Made>(body: string, helpers: object, boxes: readonly object[]): Made {
  // oxlint-disable-next-line typescript/no-implied-eval -- see above
  return new Function('H', 'B', body)(helpers, boxes) as Made
}
