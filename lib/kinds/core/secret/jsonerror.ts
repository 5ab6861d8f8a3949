/** What is wrong with bytes that should be a JSON object, in the words that clients know; undefined: nothing. */
export function jsonObjectError(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`
  } catch (error) {
    return syntaxError(text, error)
  }
}

function syntaxError(text: string, error: unknown): string {
  const first = text.trimStart()[0]
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  const at = position === undefined ? undefined : text[Number(position)]
  if (first === undefined || at === undefined) {
    if (first !== undefined && !/[[{"\-\dtfn]/.test(first))
      return `invalid character ${show(first)} looking for beginning of value`
    return 'unexpected end of JSON input'
  }
  if (at === first && text.trimStart() === text.slice(Number(position)))
    return `invalid character ${show(at)} looking for beginning of value`
  return `invalid character ${show(at)}`
}

function show(character: string): string {
  return character === "'" ? "'\\''" : `'${character}'`
}
