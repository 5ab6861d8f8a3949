import type { ApiObject } from '../../object/index.ts'

/** Options are objects of the API without metadata. */
export function optionsObject(kind: string, fields: object): ApiObject {
  return { apiVersion: 'v1', kind, ...fields } as ApiObject
}
