/** The lines of a stream of UTF-8, without their ends, as they arrive. A line over `charactersMax` is cut there. */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  charactersMax = 4 * 1024 * 1024,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = (lines.pop() ?? '').slice(0, charactersMax)
      if (lines.length > 0) yield lines
      if (done) break
    }
    if (rest !== '') yield [rest]
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The whole text of an answer. Throws for one of more than `charactersMax`. */
export async function readLimited({ body }: Response, charactersMax: number): Promise<string> {
  let text = ''
  if (body === null) return text
  for await (const lines of readLines(body, charactersMax)) {
    text += lines.join('\n')
    if (text.length > charactersMax) throw new RangeError(`the answer has more than ${charactersMax} characters`)
  }
  return text
}
