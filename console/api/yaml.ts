import { withoutManagedFields, withResourceVersion } from '../state/yamltext.ts'
import { collectionPath, type Kind, objectPath } from './kinds.ts'
import { readJson, request } from './session.ts'
import { warningsOf } from './warnings.ts'

const yamlType = 'application/yaml'

/** The object as YAML, without its managed fields, which nobody edits. */
export async function readYaml(kind: Kind, namespace: string, name: string): Promise<string> {
  const answer = await request(objectPath(kind, namespace, name), { accept: yamlType })
  return withoutManagedFields(await answer.text())
}

/** An answer to a write. */
export interface Stored {
  readonly yaml: string
  readonly warnings: readonly string[]
}

/** Replaces the object by YAML or JSON; with `dryRun`, returns only what would be stored. Throws ApiError. */
export async function replaceYaml(
  kind: Kind,
  namespace: string,
  name: string,
  body: string,
  dryRun: boolean,
): Promise<Stored> {
  const path = `${objectPath(kind, namespace, name)}?${options(dryRun)}`
  const answer = await request(path, { method: 'PUT', body, contentType: yamlType, accept: yamlType })
  return { yaml: withoutManagedFields(await answer.text()), warnings: warningsOf(answer) }
}

/** The object that the server would store in the place of the latest state. Throws ApiError. */
export async function readIntended(
  kind: Kind,
  namespace: string,
  name: string,
  yaml: string,
  latest: string,
): Promise<Record<string, unknown>> {
  const body = withResourceVersion(yaml, latest)
  const path = `${objectPath(kind, namespace, name)}?${options(true)}`
  return await readJson(path, { method: 'PUT', body, contentType: yamlType })
}

/** Creates the object of the text, in the namespace where it names none. Throws ApiError. */
export async function createYaml(kind: Kind, namespace: string, body: string, dryRun: boolean): Promise<Stored> {
  const path = `${collectionPath(kind, namespace)}?${options(dryRun)}`
  const answer = await request(path, { method: 'POST', body, contentType: yamlType, accept: yamlType })
  return { yaml: await answer.text(), warnings: warningsOf(answer) }
}

function options(dryRun: boolean): URLSearchParams {
  const query = new URLSearchParams({ fieldManager: 'pilothouse-console', fieldValidation: 'Strict' })
  if (dryRun) query.set('dryRun', 'All')
  return query
}
