import { isRecord } from '../base/index.ts'
import {
  checkValues,
  DecodeError,
  decodeCbor,
  decodeUntyped,
  decodeYaml,
  formatDuplicates,
  TooManyValues,
  valuesMax,
} from '../codec/index.ts'
import { copyObject, type JsonValue, parseGroupVersion } from '../object/index.ts'
import { type JsonTree, jsonKind, type MediaType, typeMetaStruct } from '../scheme/index.ts'

/** Parses a body. Throws DecodeError; TooManyValues for a body of more than valuesMax fields and items. */
export function parseCustomBody(
  body: Uint8Array | JsonTree,
  mediaType: MediaType,
  strict: boolean,
): { value: JsonValue; duplicates: readonly string[] } {
  const asFindings = (found: readonly string[]): string[] =>
    strict && found.length > 0 ? [formatDuplicates(found)] : []
  if (!(body instanceof Uint8Array))
    return { value: copyObject(body.tree), duplicates: asFindings(body.duplicates ?? []) }
  switch (mediaType) {
    case 'application/yaml': {
      const { value, duplicates } = decodeYaml(body)
      return { value, duplicates: asFindings(duplicates) }
    }
    case 'application/cbor':
      return { value: decodeCbor(body, valuesMax), duplicates: [] }
    default: {
      checkValues(body)
      try {
        const { value, strictErrors } = decodeUntyped(body, { strict })
        return { value, duplicates: strictErrors }
      } catch (error) {
        if (!(error instanceof DecodeError) || error instanceof TooManyValues) throw error
        throw new DecodeError(`${noTypeMeta}: ${error.message}`, { cause: error })
      }
    }
  }
}

const noTypeMeta = "couldn't get version/kind; json parse error"

/** Throws DecodeError for an object without apiVersion or kind. */
export function checkTypeMeta(value: JsonValue): void {
  if (value === null) throw new DecodeError("Object 'Kind' is missing in 'null'")
  if (!isRecord(value)) {
    const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${typeMetaStruct}`
    throw new DecodeError(`${noTypeMeta}: ${why}`)
  }
  for (const [name, field] of [
    ['Kind', 'kind'],
    ['apiVersion', 'apiVersion'],
  ] as const) {
    const text = Object.hasOwn(value, field) ? value[field] : undefined
    if (typeof text !== 'string' || text === '')
      throw new DecodeError(`Object '${name}' is missing in '${shorten(JSON.stringify(value, bareBigint))}'`)
  }
  if (!parseGroupVersion(String(value['apiVersion'])))
    throw new DecodeError(`unexpected GroupVersion string: ${String(value['apiVersion'])}`)
}

function bareBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

const shownCharactersMax = 10_000

function shorten(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}...` : text
}

const summaryBytesMax = 30

/** The beginning of a body, for messages. */
export function summarize(source: Uint8Array | JsonTree): string {
  const body = source instanceof Uint8Array ? source : Buffer.from(JSON.stringify(source.tree, bareBigint) ?? '')
  if (body.length === 0) return '<empty>'
  const head = Buffer.from(body.subarray(0, summaryBytesMax)).toString(body[0] === 0x7b ? 'utf8' : 'hex')
  return body.length > summaryBytesMax ? `${head} ...` : head
}
