import type { Database, Transaction } from 'lmdb'
import type { PausableWork } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { RecordCipher, RecordDecrypter } from '../dataencryption/recordcipher.ts'
import type { Head } from '../local/tables.ts'
import {
  decodeHead,
  encodeHead,
  type HeadForm,
  headBytes,
  plainRecords,
  type RecordDecoder,
  type RecordForm,
} from './record.ts'

/**
 * The table of heads by createRevision, which reveals nothing about the key. LMDB can't keep the order of keys that it
 * doesn't see.
 */
export const encryptedHeadTable = 'encrypted-head'

/** Number of heads that are decrypted in one slice: some 3 ms. */
const sliceHeads = 256

/** Encrypted records, each encrypted alone and bound to its revision. */
export function encryptedRecords(cipher: RecordCipher): RecordForm {
  return {
    ...decryptedRecords(cipher),
    encode: (record) => cipher.encrypt(logContext(record.revision), plainRecords.encode(record)),
  }
}

export function decryptedRecords(decrypter: RecordDecrypter): RecordDecoder {
  const decrypted = (revision: Revision, stored: Buffer): Buffer => decrypter.decrypt(logContext(revision), stored)
  return {
    decode: (revision, stored) => plainRecords.decode(revision, decrypted(revision, stored)),
    decodeHeader: (revision, stored) => plainRecords.decodeHeader(revision, decrypted(revision, stored)),
  }
}

export function encryptHead(cipher: RecordCipher, head: Head): Buffer {
  return cipher.encrypt(headContext(head.createRevision), Buffer.concat([encodeHead(head), Buffer.from(head.key)]))
}

/** Throws for bytes that are not the head of an object with that createRevision. */
function decryptHead(decrypter: RecordDecrypter, createRevision: number, stored: Buffer): Head {
  const plain = decrypter.decrypt(headContext(createRevision), stored)
  const head = decodeHead(plain.toString('utf8', headBytes), plain)
  if (head.createRevision !== createRevision)
    throw new Error(`head ${createRevision} is that of ${head.createRevision}`)
  return head
}

export function encryptedHeads(decrypter: RecordDecrypter): HeadForm {
  return {
    table: encryptedHeadTable,
    isInOrderOfKeys: false,
    decode: (createRevision, stored) => decryptHead(decrypter, Number(createRevision), stored),
    placeOf: ({ createRevision }) => createRevision,
  }
}

/**
 * Yields all heads of the table, now or in a transaction; not in the order of keys. Throws for bytes that are no head.
 */
export function* readEncryptedHeads(
  table: Database<Buffer, number>,
  decrypter: RecordDecrypter,
  add: (head: Head) => void,
  transaction?: Transaction,
): PausableWork<void> {
  const options = { limit: sliceHeads, transaction }
  let newest: number | undefined
  for (let start = 0; ; ) {
    const page = [...table.getRange({ start, ...options })]
    for (const { key, value } of page) {
      add(decryptHead(decrypter, key, value))
    }
    newest = page.at(-1)?.key ?? newest
    if (newest === undefined || page.length < sliceHeads) break
    start = newest + 1
    yield
  }
  // LMDB may mistake a damaged page for the end. A read from behind then finds another last key.
  const [last] = table.getKeys({ reverse: true, limit: 1, transaction })
  if (last !== newest) throw new Error('keys are missing')
}

function logContext(revision: Revision): string {
  return `log/${revision}`
}

function headContext(createRevision: number): string {
  return `head/${createRevision}`
}
