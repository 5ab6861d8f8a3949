import { inOwnMemory } from '../../base/index.ts'
import { parseOwnObject, writeJson } from '../../codec/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { StoredValue } from '../../storage/index.ts'
import type { SentValue } from './messages.ts'
import { sendError } from './senterror.ts'

/** An object of one thread as JSON for another. */
export function sendObject(object: object): Uint8Array {
  return Buffer.from(writeJson(object), 'utf8')
}

export function receiveObject(bytes: Uint8Array): ApiObject {
  return parseOwnObject(bytes)
}

export function sendValue({ key, value, createRevision, modRevision, stale, unreadable }: StoredValue): SentValue {
  // A message would carry all of the memory that the bytes are part of.
  const plain = { key, value: inOwnMemory(value), createRevision, modRevision, stale: stale ?? false }
  return unreadable ? { ...plain, unreadable: sendError(unreadable.error) } : plain
}
