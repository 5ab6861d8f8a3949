import { createHash } from 'node:crypto'
import type { PausableWork } from '../../base/index.ts'
import { parseOwnObject, readMembers, untypedText } from '../../codec/index.ts'
import { type ApiObject, jsonOf } from '../../object/index.ts'
import { joinText, type ObjectText, objectText } from '../objecttext.ts'

/** An object to convert. */
export interface Subject {
  /** Equal for objects that convert to the same. */
  readonly key: string
  /** Approximate length of its text. */
  readonly bytes: number
  /** The text that is sent to the webhook. */
  text(): PausableWork<Uint8Array>
}

/** A stored object, which its key and revision identify. `whole`: its text, where that needs no decoding. */
export function subjectOfStored(
  key: string,
  read: () => ApiObject,
  bytes: number,
  whole: () => Uint8Array | undefined = () => undefined,
): Subject {
  return {
    key,
    bytes,
    *text() {
      const known = whole()
      if (known) return known
      const object = read()
      yield
      const text = objectText(object)
      return Buffer.from(joinText(text, object.metadata.resourceVersion))
    },
  }
}

/** An object before it is stored: identified by its content, which may still change. */
export function subjectOfContent(object: ApiObject): Subject {
  const text = objectText(object)
  return {
    key: digestOf(object, text),
    bytes: text.head.length + text.tail.length,
    // oxlint-disable-next-line require-yield -- its parts exist
    *text() {
      return Buffer.from(joinText(text, object.metadata.resourceVersion))
    },
  }
}

/**
 * A digest of the content without the metadata that no webhook may change: equal for objects that convert to the same.
 */
function digestOf({ metadata }: ApiObject, { head, tail }: ObjectText): string {
  const { name, namespace, uid, labels, annotations } = metadata
  const seen = untypedText(jsonOf({ name, namespace, uid, labels, annotations }))
  return createHash('sha256').update(head).update(seen).update(tail).digest('base64')
}

/** The parts of an object that its conversion must keep. */
export type Header = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>

const wanted = { apiVersion: true, kind: true, metadata: true } as const

/** Reads the header of a text that this server wrote. */
export function headerOf(text: Uint8Array): Header {
  return (readMembers(text, wanted) as Header | undefined) ?? parseOwnObject(text)
}
