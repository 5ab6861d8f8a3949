import { isRecord } from '../../base/index.ts'
import {
  type ApiObject,
  formatGroupVersionKind,
  type GroupVersionKind,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'

/** Versions of ConversionReview that are spoken, in the order in which a definition may name them. */
export const reviewVersions = ['v1', 'v1beta1'] as const
export type ReviewVersion = (typeof reviewVersions)[number]

/** The body of a call. */
export function reviewOf(
  version: ReviewVersion,
  uid: string,
  desiredAPIVersion: string,
  objects: readonly ApiObject[],
): object {
  const response = version === 'v1' ? { uid: '', convertedObjects: null, result: { metadata: {} } } : {}
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response,
  }
}

/** A fault in an answer; its text follows `conversion webhook for … failed: ` or stands as it is. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError'
}

/** The converted objects of an answer. Throws ReviewError. */
export function readReview(answer: unknown, version: ReviewVersion, uid: string): readonly unknown[] {
  const { apiVersion, kind, response } = isRecord(answer) ? answer : {}
  const expected = `apiextensions.k8s.io/${version}`
  if (version === 'v1' && (apiVersion !== expected || kind !== 'ConversionReview'))
    throw new ReviewError(
      `expected webhook response of ${expected}, Kind=ConversionReview, got ${text(apiVersion)}, Kind=${text(kind)}`,
    )
  if (!isRecord(response)) throw new ReviewError('no response provided')
  if (version === 'v1' && response['uid'] !== uid)
    throw new ReviewError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(text(response['uid']))}`)
  const result = isRecord(response['result']) ? response['result'] : {}
  const { status, message } = result
  if (status !== 'Success') {
    if (typeof message === 'string' && message !== '') throw new ReviewError(message)
    throw new ReviewError(`response.result.status was '${text(status)}', not 'Success'`)
  }
  const { convertedObjects } = response
  return Array.isArray(convertedObjects) ? convertedObjects : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Takes a converted object over: all but its metadata, of which only labels and annotations count. Throws ReviewError
 * for another object than the one that was sent.
 */
export function mergeConverted(
  sent: ApiObject,
  converted: unknown,
  to: GroupVersionKind & { readonly apiVersion: string },
): ApiObject {
  const returned = `conversion webhook for ${formatGroupVersionKind({ ...to, version: versionOf(sent) })} returned`
  if (!isRecord(converted)) throw new ReviewError(`${returned} invalid converted object`)
  const { apiVersion, kind, metadata } = converted
  if (apiVersion !== to.apiVersion)
    throw new ReviewError(
      `${returned} invalid object: invalid groupVersion (expected ${to.apiVersion}, received ${text(apiVersion)})`,
    )
  if (kind !== sent.kind)
    throw new ReviewError(`${returned} invalid object: must have the same kind: ${text(kind)} != ${sent.kind}`)
  if (!isRecord(metadata)) throw new ReviewError(`${returned} invalid metadata: missing metadata in converted object`)
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const [own, other] = [sent.metadata[field] ?? '', text(metadata[field])]
    const name = field === 'uid' ? 'UID' : field
    if (own !== other)
      throw new ReviewError(`${returned} invalid object: must have the same ${name}: ${other} != ${own}`)
  }
  const { labels: _labels, annotations: _annotations, ...kept } = sent.metadata
  const merged = {
    ...kept,
    ...texts('labels', metadata['labels'], returned),
    ...texts('annotations', metadata['annotations'], returned),
  }
  return { ...converted, apiVersion: to.apiVersion, kind: sent.kind, metadata: merged } as ApiObject
}

function versionOf({ apiVersion }: ApiObject): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

function texts(
  field: 'labels' | 'annotations',
  value: unknown,
  returned: string,
): Record<string, Record<string, string>> {
  if (value === undefined || value === null) return {}
  const fail = (why: string): never => {
    throw new ReviewError(`${returned} invalid metadata: ${why}`)
  }
  if (!isRecord(value)) return fail(`metadata.${field} must be a map of strings`)
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== 'string')
      return fail(`metadata.${field}[${key}] must be a string, but is ${typeof one} in converted object`)
    const findings = [
      ...validateQualifiedName(field === 'labels' ? key : key.toLowerCase()),
      ...(field === 'labels' ? validateLabelValue(one) : []),
    ]
    if (findings.length > 0)
      return fail(`metadata.${field}: Invalid value: ${JSON.stringify(key)}: ${findings.join(', ')}`)
  }
  return { [field]: value as Record<string, string> }
}
