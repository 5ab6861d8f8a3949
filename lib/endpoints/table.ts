import { writeJson } from '../codec/index.ts'
import type { Column } from '../kinds/index.ts'
import { type ApiObject, fieldErrors, type ListMeta, statusErrors } from '../object/index.ts'
import type { Transform } from '../request/index.ts'
import { formatMediaTypes } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'
import { type Endpoint, encodePartial } from './endpoint.ts'

/** What rows carry of their objects. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Throws 400 for any other word. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.size === 0 ? '' : (query.get('includeObject') ?? '')
  if (asked === '') return 'Metadata'
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked
  const error = fieldErrors.invalid('includeObject', asked, "must be 'Metadata', 'Object', 'None', or empty")
  throw statusErrors.badRequest(`Unable to convert to Table as requested: ${error.field}: ${error.message}`)
}

export interface TableRequest {
  readonly version: Transform['version']
  readonly includeObject: IncludeObject
  /** False: rows only, as in all but the first event of a watch. */
  readonly columns: boolean
}

/** A Table as the JSON of its fields, kind and apiVersion aside. Objects are in the hub version. */
export function encodeTable(
  endpoint: Endpoint,
  scheme: Scheme,
  metadata: ListMeta,
  objects: readonly ApiObject[],
  request: TableRequest,
  nowMs: number,
): Uint8Array {
  const definitions = request.columns ? endpoint.columns.map(definitionOf) : []
  const rows = objects.map((object) => {
    const cells = writeJson(endpoint.columns.map((column) => column.cell(object, { nowMs })))
    return `{"cells":${cells},"object":${rowObject(endpoint, scheme, object, request)}}`
  })
  return Buffer.from(
    `{"metadata":${writeJson(metadata)},"columnDefinitions":${writeJson(definitions)},"rows":[${rows.join(',')}]}`,
  )
}

function definitionOf({ name, type, format = '', description, priority }: Column): object {
  return { name, type, format, description, priority }
}

function rowObject(endpoint: Endpoint, scheme: Scheme, object: ApiObject, request: TableRequest): string {
  switch (request.includeObject) {
    case 'None':
      return 'null'
    case 'Metadata': {
      const json = Buffer.from(encodePartial(scheme, object, 'json')).toString()
      return request.version === 'v1' ? json : json.replace('meta.k8s.io/v1', 'meta.k8s.io/v1beta1')
    }
    case 'Object': {
      const bytes = scheme.encodeObject(endpoint.fromHub(object), { mediaType: formatMediaTypes.json })
      return Buffer.from(bytes).toString().trimEnd()
    }
  }
}
