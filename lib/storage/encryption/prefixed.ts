import { type Decrypted, isPromise, type Maybe, startsWith, TransformError, type Transformer } from './transformer.ts'

/** A transformer whose values begin with `prefix`; plain values have an empty one. */
export interface Prefixed {
  readonly prefix: Uint8Array
  /** The prefix as a text. */
  readonly name: string
  readonly transformer: Transformer
}

export function prefixed(name: string, transformer: Transformer): Prefixed {
  return { name, prefix: Buffer.from(name), transformer }
}

/**
 * The first of `members` encrypts; all whose prefix matches try to decrypt, in order. A value that another than the
 * first has read is stale. `none` makes the error when no prefix matches.
 */
export function createPrefixed(members: readonly Prefixed[], none: () => TransformError): Transformer {
  const [first] = members
  if (!first) throw new RangeError('no transformer')

  /** Tries members from `index` on; `errors` are those of the members before. */
  function decryptFrom(
    index: number,
    stored: Uint8Array,
    from: number,
    context: string,
    errors: unknown[],
  ): Maybe<Decrypted> {
    for (let at = index; at < members.length; at++) {
      const member = members[at]
      if (!member || !startsWith(stored, from, member.prefix)) continue
      // Plain values come first while encryption is being removed: values that are still encrypted are left to the
      // others.
      const isPlain = member.prefix.length === 0
      try {
        const result = member.transformer.decrypt(stored, from + member.prefix.length, context)
        if (!isPromise(result)) return at === 0 || result.stale ? result : { value: result.value, stale: true }
        return result.then(
          ({ value, stale }) => ({ value, stale: stale || at !== 0 }),
          (error: unknown) => decryptFrom(at + 1, stored, from, context, isPlain ? errors : [...errors, error]),
        )
      } catch (error) {
        if (!isPlain) errors.push(error)
      }
    }
    throw reduced(errors) ?? none()
  }

  return {
    decrypt: (stored, from, context) => decryptFrom(0, stored, from, context, []),
    encrypt(value, context) {
      const parts = first.transformer.encrypt(value, context)
      if (first.prefix.length === 0) return parts
      return isPromise(parts) ? parts.then((rest) => [first.prefix, ...rest]) : [first.prefix, ...parts]
    },
  }
}

/** Joins the errors into one; undefined: there are none. */
function reduced(errors: readonly unknown[]): Error | undefined {
  const [first] = errors
  if (first === undefined) return undefined
  const messages = [...new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))]
  if (messages.length === 1 && first instanceof Error) return first
  return new TransformError(`[${messages.join(', ')}]`, { cause: first })
}
