import { withoutManagedFields } from '../state/yamltext.ts'
import { collectionPath, type Kind, objectPath } from './kinds.ts'
import { request } from './session.ts'

const yamlType = 'application/yaml'

/** The object as YAML, without its managed fields, which nobody edits. */
export async function readYaml(kind: Kind, namespace: string, name: string): Promise<string> {
  const answer = await request(objectPath(kind, namespace, name), { accept: yamlType })
  return withoutManagedFields(await answer.text())
}

/** Replaces the object; with `dryRun`, returns only what would be stored. Throws ApiError. */
export async function replaceYaml(
  kind: Kind,
  namespace: string,
  name: string,
  body: string,
  dryRun: boolean,
): Promise<string> {
  const path = `${objectPath(kind, namespace, name)}?${options(dryRun)}`
  const answer = await request(path, { method: 'PUT', body, contentType: yamlType, accept: yamlType })
  return withoutManagedFields(await answer.text())
}

/** Creates the object of the text, in the namespace where it names none. Throws ApiError. */
export async function createYaml(kind: Kind, namespace: string, body: string, dryRun: boolean): Promise<string> {
  const path = `${collectionPath(kind, namespace)}?${options(dryRun)}`
  const answer = await request(path, { method: 'POST', body, contentType: yamlType, accept: yamlType })
  return await answer.text()
}

function options(dryRun: boolean): URLSearchParams {
  const query = new URLSearchParams({ fieldManager: 'pilothouse-console', fieldValidation: 'Strict' })
  if (dryRun) query.set('dryRun', 'All')
  return query
}
