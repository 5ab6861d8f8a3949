import { DecodeError, parseTree } from '../../../codec/index.ts'

/** The error of bytes that should be a JSON object, in the words that clients know; undefined: none. */
export function jsonObjectError(bytes: Uint8Array): string | undefined {
  try {
    const { is } = parseTree(bytes)
    if (is === 'object' || is === 'null') return undefined
    return `json: cannot unmarshal ${is} into Go value of type map[string]interface {}`
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
}
