import { parseJson } from '../../codec/index.ts'
import { type Revision, statusErrors } from '../../object/index.ts'

/** Where a list continues, and at which revision. */
interface ContinueToken {
  /** First key of the next page. */
  readonly start: string
  /** Undefined: the current revision (a list that gave up consistency). */
  readonly revision: Revision | undefined
}

const tokenVersion = 'meta.k8s.io/v1'
const inconsistentRevision = -1

/**
 * A token that every replica and the stock server can read. `lastKey`: the last key of the page, below `prefix`.
 * `revision` undefined: a token that continues at the current revision.
 */
export function encodeContinue(lastKey: string, prefix: string, revision: Revision | undefined): string {
  const start = `${lastKey.slice(prefix.length)}\0`
  const token = { v: tokenVersion, rv: revision ?? inconsistentRevision, start }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/** Throws 400 for an invalid token. */
export function decodeContinue(token: string, prefix: string): ContinueToken {
  const fail = (why: string): never => {
    throw statusErrors.badRequest(`invalid continue token: continue key is not valid: ${why}`)
  }
  const illegal = illegalByte(token)
  if (illegal !== undefined) return fail(`illegal base64 data at input byte ${illegal}`)
  let value: unknown
  try {
    value = parseJson(Buffer.from(token, 'base64url'))
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
  if (typeof value !== 'object' || value === null) return fail('no token')
  const { v, rv, start } = value as { v?: unknown; rv?: unknown; start?: unknown }
  if (v !== tokenVersion) return fail(`server does not recognize this encoded version ${JSON.stringify(v ?? '')}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0)
    return fail(`incorrect encoded start resourceVersion (version ${tokenVersion})`)
  if (typeof start !== 'string' || start === '') return fail(`encoded start key empty (version ${tokenVersion})`)
  // A token must not leave the range of the request.
  if (!isClean(start)) return fail(start)
  return { start: prefix + start.replace(/^\//, ''), revision: rv < 0 ? undefined : (rv as Revision) }
}

/** Position of the first byte that unpadded base64url doesn't have. */
function illegalByte(token: string): number | undefined {
  const position = token.search(/[^A-Za-z0-9_-]/)
  if (position >= 0) return position
  return token.length % 4 === 1 ? token.length - 1 : undefined
}

function isClean(start: string): boolean {
  const steps = start.replace(/^\//, '').split('/')
  return steps.every((step) => step !== '' && step !== '.' && step !== '..')
}
