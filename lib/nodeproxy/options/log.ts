import { canonicalTime, type FieldError, fieldErrors, statusErrors } from '../../object/index.ts'
import { isTrue, type QueryParameters } from '../../request/index.ts'

/** PodLogOptions of a query. */
export interface PodLogOptions {
  readonly container: string
  readonly follow: boolean
  readonly insecureSkipTLSVerifyBackend: boolean
  /** For the kubelet. */
  readonly parameters: URLSearchParams
}

const streams = ['All', 'Stderr', 'Stdout']
const subject = { group: '', kind: 'PodLogOptions' }

/** Throws 400 for unreadable options, 422 for contradictory ones. */
export function parseLogOptions(query: QueryParameters, podName: string, splitsStreams: boolean): PodLogOptions {
  const [sinceSeconds, tailLines, limitBytes] = (['sinceSeconds', 'tailLines', 'limitBytes'] as const).map((name) =>
    integerOf(query.get(name)),
  )
  const sinceTime = timeOf(query.get('sinceTime'))
  const stream = splitsStreams ? (query.get('stream') ?? 'All') : undefined
  const given = { sinceSeconds, sinceTime, tailLines, limitBytes, stream }
  const errors = check(given)
  if (errors.length > 0) throw statusErrors.invalid(subject, podName, errors)
  const parameters = new URLSearchParams()
  for (const name of ['follow', 'previous', 'timestamps']) if (isTrue(query.get(name))) parameters.set(name, 'true')
  for (const [name, value] of Object.entries(given)) if (value !== undefined) parameters.set(name, String(value))
  parameters.sort()
  return {
    container: query.get('container') ?? '',
    follow: isTrue(query.get('follow')),
    insecureSkipTLSVerifyBackend: isTrue(query.get('insecureSkipTLSVerifyBackend')),
    parameters,
  }
}

interface Given {
  readonly sinceSeconds: bigint | undefined
  readonly sinceTime: string | undefined
  readonly tailLines: bigint | undefined
  readonly limitBytes: bigint | undefined
  /** Undefined: streams are not distinguished. */
  readonly stream: string | undefined
}

function check({ sinceSeconds, sinceTime, tailLines, limitBytes, stream }: Given): FieldError[] {
  const errors: FieldError[] = []
  if (tailLines !== undefined && tailLines < 0n)
    errors.push(fieldErrors.invalid('tailLines', Number(tailLines), 'must be greater than or equal to 0'))
  if (limitBytes !== undefined && limitBytes < 1n)
    errors.push(fieldErrors.invalid('limitBytes', Number(limitBytes), 'must be greater than 0'))
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(fieldErrors.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else if (sinceSeconds !== undefined && sinceSeconds < 1n)
    errors.push(fieldErrors.invalid('sinceSeconds', Number(sinceSeconds), 'must be greater than 0'))
  if (stream !== undefined && !streams.includes(stream))
    errors.push(fieldErrors.notSupported('stream', stream, streams))
  if (stream !== undefined && stream !== 'All' && tailLines !== undefined)
    errors.push(fieldErrors.forbidden('', '`tailLines` and specific `stream` are mutually exclusive for now'))
  return errors
}

function integerOf(text: string | null): bigint | undefined {
  if (text === null) return undefined
  const refuse = (why: string): never => {
    throw statusErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`)
  }
  if (!/^[+-]?\d+$/.test(text)) return refuse('invalid syntax')
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? value : refuse('value out of range')
}

/** The time for the kubelet: to the second. */
function timeOf(text: string | null): string | undefined {
  if (text === null || text === '' || text === 'null') return undefined
  try {
    return canonicalTime(text)
  } catch (error) {
    throw statusErrors.badRequest(error instanceof Error ? error.message : String(error), error)
  }
}
