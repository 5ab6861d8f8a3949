// Bodies made of bytes that exist already: objects and lists are framed, not encoded again. An item is a JSON object
// without kind and apiVersion.

const encoder = new TextEncoder()
const comma = 0x2c
const lineFeed = 0x0a
const emptyObjectBytes = 2
const frameEnd = encoder.encode('}\n')

/** The object of an item. `line`: with the end of its line, as a body has it. */
export function frameObject(apiVersion: string, kind: string, item: Uint8Array, line = false): Uint8Array {
  const head = encoder.encode(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`)
  const isEmpty = item.length <= emptyObjectBytes
  const length = head.length + (isEmpty ? 1 : item.length)
  const whole = new Uint8Array(line ? length + 1 : length)
  whole.set(head)
  // The item's own brace becomes the comma between; of an empty one only the end is wanted.
  whole.set(isEmpty ? item.subarray(1) : item, head.length)
  if (!isEmpty) whole[head.length] = comma
  if (line) whole[length] = lineFeed
  return whole
}

/** A list's body in parts; the items stand among them as they are. */
export function frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly Uint8Array[],
): Uint8Array[] {
  const parts = [
    encoder.encode(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":`),
    metadata,
    encoder.encode(',"items":['),
  ]
  const separator = encoder.encode(',')
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(separator)
    parts.push(item)
  }
  parts.push(encoder.encode(']}\n'))
  return parts
}

/** One line of a watch; `object` is a whole object without a line end. */
export function frameWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const head = encoder.encode(`{"type":${JSON.stringify(type)},"object":`)
  const frame = new Uint8Array(head.length + object.length + frameEnd.length)
  frame.set(head)
  frame.set(object, head.length)
  frame.set(frameEnd, head.length + object.length)
  return frame
}
