import { isRecord, type PausableWork } from '../../base/index.ts'
import { JsonSpans, parseJson, type Span } from '../../codec/index.ts'
import {
  type ApiObject,
  formatGroupVersionKind,
  type GroupVersionKind,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'
import type { Header } from './subject.ts'

/** Supported versions of ConversionReview, in the order of preference. */
export const reviewVersions = ['v1', 'v1beta1'] as const
export type ReviewVersion = (typeof reviewVersions)[number]

/** The body of a call around the texts of its objects. */
export function reviewOf(
  version: ReviewVersion,
  uid: string,
  desiredAPIVersion: string,
  objects: readonly Uint8Array[],
): Uint8Array {
  const response = version === 'v1' ? { uid: '', convertedObjects: null, result: { metadata: {} } } : {}
  const type = `"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/${version}"`
  const about = `"uid":${JSON.stringify(uid)},"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)}`
  const parts: Uint8Array[] = [Buffer.from(`{${type},"request":{${about},"objects":[`)]
  for (const [index, object] of objects.entries()) {
    if (index > 0) parts.push(comma)
    parts.push(object)
  }
  parts.push(Buffer.from(`]},"response":${JSON.stringify(response)}}`))
  return Buffer.concat(parts)
}

const comma = Buffer.from(',')

/** An error in an answer; its text follows `conversion webhook for … failed: ` or is the whole message. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError'
}

interface ConvertedSpans {
  readonly first: readonly Span[]
  readonly count: number
}

/**
 * The positions of the first `count` converted objects of an answer, and the number of all, with pauses: an answer is
 * never parsed as a whole. Throws ReviewError or DecodeError.
 */
export function* readReview(
  answer: Uint8Array,
  { version, uid, count }: { readonly version: ReviewVersion; readonly uid: string; readonly count: number },
): PausableWork<ConvertedSpans> {
  const spans = new JsonSpans(answer)
  const root = yield* spans.value()
  const members = (yield* spans.members(root)) ?? none
  const [apiVersion, kind] = [textAt(answer, members.get('apiVersion')), textAt(answer, members.get('kind'))]
  const expected = `apiextensions.k8s.io/${version}`
  if (version === 'v1' && (apiVersion !== expected || kind !== 'ConversionReview'))
    throw new ReviewError(
      `expected webhook response of ${expected}, Kind=ConversionReview, got ${apiVersion}, Kind=${kind}`,
    )
  const at = members.get('response')
  const response = at && (yield* spans.members(at))
  if (!response) throw new ReviewError('no response provided')
  const answered = textAt(answer, response.get('uid'))
  if (version === 'v1' && answered !== uid)
    throw new ReviewError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}`)
  const resultAt = response.get('result')
  const result = (resultAt && (yield* spans.members(resultAt))) ?? none
  const [status, message] = [textAt(answer, result.get('status')), textAt(answer, result.get('message'))]
  if (status !== 'Success')
    throw new ReviewError(message === '' ? `response.result.status was '${status}', not 'Success'` : message)
  const objects = response.get('convertedObjects')
  return (objects && (yield* spans.items(objects, count))) ?? { first: [], count: 0 }
}

const none: ReadonlyMap<string, Span> = new Map()
/** Longer strings are not read: names and messages are shorter. */
const textBytesMax = 64 * 1024

/** A string member; '' for any other value. */
function textAt(answer: Uint8Array, at: Span | undefined): string {
  if (!at || at.to - at.from > textBytesMax) return ''
  return text(parseJson(answer.subarray(at.from, at.to)))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Takes the content of a converted object, but of its metadata only labels and annotations. Throws ReviewError when it
 * is not the object that was sent.
 */
export function mergeConverted(
  sent: Header,
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

function versionOf({ apiVersion }: Header): string {
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
