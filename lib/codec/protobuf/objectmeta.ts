import { type JsonObject, setField } from '../../object/index.ts'
import { parseStored } from '../stored.ts'
import { hasEnvelope, readEnvelope } from './envelope.ts'
import { ProtobufReader } from './protobufreader.ts'
import { readTime } from './scalars.ts'

/** The metadata that selectors, caches and the garbage collector read without decoding the object. */
interface StoredMeta {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly generateName: string
  readonly namespace: string
  readonly uid: string
  readonly generation: number
  readonly creationTimestamp: string | undefined
  readonly deletionTimestamp: string | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers: readonly string[]
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

const tags = {
  metadata: 10,
  name: 10,
  generateName: 18,
  namespace: 26,
  uid: 42,
  generation: 56,
  creationTimestamp: 66,
  deletionTimestamp: 74,
  labels: 90,
  annotations: 98,
  finalizers: 114,
} as const

/** Reads only the metadata of stored bytes, in any format. Throws DecodeError. */
export function readObjectMeta(stored: Uint8Array): StoredMeta {
  return hasEnvelope(stored) ? fromEnvelope(stored) : fromText(stored)
}

/** Reads only the labels of an envelope. Throws DecodeError. */
export function readLabels(stored: Uint8Array): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  const reader = new ProtobufReader(readEnvelope(stored).raw)
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag !== tags.metadata) {
      reader.skip(tag)
      continue
    }
    const outer = reader.enter()
    while (reader.pos < reader.end) {
      const inner = reader.uint32()
      if (inner === tags.labels) readLabel(reader, labels)
      else reader.skip(inner)
    }
    reader.leave(outer)
    break
  }
  return labels
}

function readLabel(reader: ProtobufReader, into: Record<string, string>): void {
  const outer = reader.enter()
  let key = ''
  let value = ''
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === 10) key = reader.fewStrings()
    else if (tag === 18) value = reader.fewStrings()
    else reader.skip(tag)
  }
  reader.leave(outer)
  setField(into, key, value)
}

function fromEnvelope(stored: Uint8Array): StoredMeta {
  const { apiVersion, kind, raw } = readEnvelope(stored)
  const meta = empty(apiVersion, kind)
  const reader = new ProtobufReader(raw)
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag !== tags.metadata) {
      reader.skip(tag)
      continue
    }
    const outer = reader.enter()
    while (reader.pos < reader.end) readField(reader, meta)
    reader.leave(outer)
    break
  }
  return meta
}

interface Collected extends Mutable<StoredMeta> {
  labels: Record<string, string>
  annotations: Record<string, string>
  finalizers: string[]
}

function readField(reader: ProtobufReader, meta: Collected): void {
  const tag = reader.uint32()
  if (tag === tags.name) meta.name = reader.string()
  else if (tag === tags.generateName) meta.generateName = reader.string()
  else if (tag === tags.namespace) meta.namespace = reader.string()
  else if (tag === tags.uid) meta.uid = reader.string()
  else if (tag === tags.generation) meta.generation = Number(reader.int64())
  else if (tag === tags.creationTimestamp) meta.creationTimestamp = readTime(reader)
  else if (tag === tags.deletionTimestamp) meta.deletionTimestamp = readTime(reader)
  else if (tag === tags.labels) readEntry(reader, meta.labels)
  else if (tag === tags.annotations) readEntry(reader, meta.annotations)
  else if (tag === tags.finalizers) meta.finalizers.push(reader.string())
  else reader.skip(tag)
}

function readEntry(reader: ProtobufReader, into: Record<string, string>): void {
  const outer = reader.enter()
  let key = ''
  let value = ''
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === 10) key = reader.string()
    else if (tag === 18) value = reader.string()
    else reader.skip(tag)
  }
  reader.leave(outer)
  setField(into, key, value)
}

function empty(apiVersion: string, kind: string): Collected {
  return {
    apiVersion,
    kind,
    name: '',
    generateName: '',
    namespace: '',
    uid: '',
    generation: 0,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    labels: {},
    annotations: {},
    finalizers: [],
  }
}

/**
 * Custom resources, and all objects in another storage format: parses the whole; the types of metadata are known to be
 * valid.
 */
function fromText(stored: Uint8Array): StoredMeta {
  const object = parseStored(stored) as JsonObject
  const metadata = (object['metadata'] ?? {}) as Partial<StoredMeta>
  return { ...empty(String(object['apiVersion'] ?? ''), String(object['kind'] ?? '')), ...pick(metadata) }
}

function pick(metadata: Partial<StoredMeta>): Partial<StoredMeta> {
  const { name, generateName, namespace, uid, generation, creationTimestamp, deletionTimestamp } = metadata
  const { labels, annotations, finalizers } = metadata
  const found = {
    name,
    generateName,
    namespace,
    uid,
    generation,
    creationTimestamp,
    deletionTimestamp,
    labels,
    annotations,
    finalizers,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
