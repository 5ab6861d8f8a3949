import { isRecord } from '../base/index.ts'
import { parseJsonText } from '../object/index.ts'
import type { EndpointAnswer } from './exchange.ts'
import { refusalText } from './refusal.ts'

/** Maximum number of characters of a body in an error. */
const repeatedMax = 2048
const successMax = 206

/** Why an answer of another API is unusable, in the stock client's words; undefined: its body can be read. */
export function answerProblem({ status, headers, body }: EndpointAnswer): string | undefined {
  const contentType = String(headers['content-type'] ?? '')
  if ((status >= 200 && status <= successMax) || status === 101) {
    if (body.length > 0) return undefined
    return `0-length response with status code: ${status} and content type: ${contentType || 'application/json'}`
  }
  return messageOf(body) ?? refusalText(status, body.toString('utf8', 0, repeatedMax), contentType)
}

/** The message of a failure Status. */
function messageOf(body: Buffer): string | undefined {
  try {
    const parsed: unknown = parseJsonText(body.toString())
    if (!isRecord(parsed) || parsed['kind'] !== 'Status' || parsed['status'] === 'Success') return undefined
    return typeof parsed['message'] === 'string' ? parsed['message'].slice(0, repeatedMax) : undefined
  } catch {
    return undefined
  }
}
