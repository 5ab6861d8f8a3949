// Bodies made of existing bytes: objects and lists are framed, not encoded again. An item is a JSON object without kind
// and apiVersion.

import type { PausableWork } from '../../base/index.ts'
import { itemsPerPause, ListParts } from '../listparts.ts'

const encoder = new TextEncoder()
const comma = 0x2c
const lineFeed = 0x0a
const emptyObjectBytes = 2
const frameEnd = encoder.encode('}\n')
const emptyFrameEnd = encoder.encode('}}\n')

/** Heads of kinds that one framer keeps. */
const headsMax = 1024

/** Makes the objects of items. `line`: with a newline at the end. Results may share memory with other small buffers. */
export function createObjectFramer(): (
  apiVersion: string,
  kind: string,
  item: Uint8Array,
  line?: boolean,
) => Uint8Array {
  const heads = new Map<string, Uint8Array>()

  function headOf(apiVersion: string, kind: string): Uint8Array {
    const key = `${kind} ${apiVersion}`
    const known = heads.get(key)
    if (known) return known
    const head = encoder.encode(`{${typeMeta(apiVersion, kind)}`)
    if (heads.size < headsMax) heads.set(key, head)
    return head
  }

  return function (apiVersion, kind, item, line = false) {
    const head = headOf(apiVersion, kind)
    const isEmpty = item.length <= emptyObjectBytes
    const length = head.length + (isEmpty ? 1 : item.length)
    const whole = Buffer.allocUnsafe(line ? length + 1 : length)
    whole.set(head)
    // A comma replaces the item's opening brace; of an empty item only the closing brace is copied.
    whole.set(isEmpty ? item.subarray(1) : item, head.length)
    if (!isEmpty) whole[head.length] = comma
    if (line) whole[length] = lineFeed
    return whole
  }
}

/** The bytes around and between a list's items. */
export interface ListFrame {
  readonly head: Uint8Array
  readonly separator: Uint8Array
  readonly tail: Uint8Array
}

export function listFrame(apiVersion: string, kind: string, metadata: Uint8Array): ListFrame {
  const head = Buffer.concat([
    encoder.encode(`{${typeMeta(apiVersion, kind)},"metadata":`),
    metadata,
    encoder.encode(',"items":['),
  ])
  return { head, separator: encoder.encode(','), tail: encoder.encode(']}\n') }
}

/**
 * A list's body in parts; the items, whole or in parts, are not copied. Yields now and then, so that other requests
 * run.
 */
export function* frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly (Uint8Array | readonly Uint8Array[])[],
): PausableWork<ListParts> {
  const parts = new ListParts()
  const { head, separator, tail } = listFrame(apiVersion, kind, metadata)
  parts.add(head)
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.add(separator)
    if (item instanceof Uint8Array) parts.add(item)
    else for (const part of item) parts.add(part)
    if (index % itemsPerPause === itemsPerPause - 1) yield
  }
  parts.add(tail)
  return parts
}

/** Makes lines of a watch over one kind, in parts; the item is not copied. */
export function watchFramer(apiVersion: string, kind: string): (type: string, item: Uint8Array) => Uint8Array[] {
  const meta = typeMeta(apiVersion, kind)
  const heads = new Map<string, Uint8Array>()
  return (type, item) => {
    let head = heads.get(type)
    if (head === undefined)
      heads.set(type, (head = encoder.encode(`{"type":${JSON.stringify(type)},"object":{${meta},`)))
    if (item.length <= emptyObjectBytes) return [head.subarray(0, -1), emptyFrameEnd]
    return [head, item.subarray(1), frameEnd]
  }
}

function typeMeta(apiVersion: string, kind: string): string {
  return `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`
}
