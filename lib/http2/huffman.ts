import { errorCodes, ProtocolError } from './protocolerror.ts'

/**
 * Lengths in bits of the Huffman codes of each byte (RFC 7541, appendix B), as digits of base 32, 64 bytes a line; the
 * last is the end of a text, which is never sent. The codes follow from the lengths: those of one length ascend with
 * the bytes, and the first of a length is the one after the last shorter one, with zeros appended.
 */
const codeBits =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca' +
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds' +
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn' +
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq' +
  'u'
const endOfText = 256

// A step gives the effect of an input byte in a state, which is a node of the tree of codes. Eight bits complete two
// codes at most, as the shortest has five.
const stateMask = 0xff
const countShift = 8
const oneMore = 1 << countShift
const isWrong = 1 << 10
/** The bits of an incomplete code may be padding: up to 7 ones (RFC 7541, section 5.2). */
const mayEnd = 1 << 11
const firstShift = 16
const secondShift = 24

/** Input whose output fits into `output` for certain. */
const roundBytes = 512

class HuffmanDecoder {
  /** Made for the first compressed text: a process without HTTP/2 saves 256 KiB. */
  #steps: Uint32Array | undefined
  /** Shared, since calls leave no state in it. */
  readonly #output = Buffer.allocUnsafeSlow((roundBytes * 8) / 5 + 2)

  /** Decodes the text from `at` to `end`. Throws ProtocolError(compressionError) for an invalid code or padding. */
  decode(input: Buffer, at: number, end: number): string {
    this.#steps ??= stepsOf(treeOf(codeBits))
    const steps = this.#steps
    const output = this.#output
    let text = ''
    let step = mayEnd
    let seen = 0
    while (at < end) {
      const roundEnd = Math.min(end, at + roundBytes)
      let length = 0
      for (; at < roundEnd; at++) {
        step = steps[((step & stateMask) << 8) | (input[at] ?? 0)] ?? 0
        seen |= step
        output[length] = step >>> firstShift
        output[length + 1] = step >>> secondShift
        length += (step >>> countShift) & 3
      }
      text += output.toString('latin1', 0, length)
    }
    if ((seen & isWrong) !== 0 || (step & mayEnd) === 0)
      throw new ProtocolError(errorCodes.compressionError, 'hpack: a text is compressed wrongly')
    return text
  }
}

export const huffman: HuffmanDecoder = new HuffmanDecoder()

/**
 * The tree of codes: element 2n + b is where bit b leads from node n, another node or -1 minus a byte. As no code is
 * unused, there are as many nodes as bytes, so that a node's number is a byte too; the root is 0.
 */
function treeOf(bits: string): Int16Array {
  const tree = new Int16Array(2 * endOfText)
  let nodes = 1
  let code = 0
  for (let length = 1; length <= 30; length++, code <<= 1)
    for (let byte = 0; byte <= endOfText; byte++) {
      if (Number.parseInt(bits.charAt(byte), 32) !== length) continue
      let node = 0
      for (let bit = length - 1; bit > 0; bit--) {
        const place = 2 * node + ((code >>> bit) & 1)
        if (tree[place] === 0) tree[place] = nodes++
        node = tree[place] ?? 0
      }
      tree[2 * node + (code & 1)] = -1 - byte
      code++
    }
  return tree
}

/** The step for byte b in state s is at 256s + b. */
function stepsOf(tree: Int16Array): Uint32Array {
  const steps = new Uint32Array(256 * 256)
  const ends = new Uint8Array(256)
  for (let ones = 0, node = 0; ones < 8; ones++, node = tree[2 * node + 1] ?? 0) ends[node] = 1

  /** `step` has the effect of the first bits of `byte`; `bits` more follow. */
  function fill(state: number, byte: number, bits: number, node: number, step: number): void {
    if (bits === 0) steps[(state << 8) | byte] = step | node | (ends[node] === 1 ? mayEnd : 0)
    else
      for (let bit = 0; bit < 2; bit++) {
        const next = tree[2 * node + bit] ?? 0
        if (next >= 0) fill(state, (byte << 1) | bit, bits - 1, next, step)
        else fill(state, (byte << 1) | bit, bits - 1, 0, withByte(step, -1 - next))
      }
  }

  for (let state = 0; state < 256; state++) fill(state, 0, 8, state, 0)
  return steps
}

/** Adds a decoded byte, the first or the second of a step. */
function withByte(step: number, byte: number): number {
  if (byte === endOfText) return step | isWrong
  const isSecond = (step & oneMore) !== 0
  return (step + oneMore) | (byte << (isSecond ? secondShift : firstShift))
}
