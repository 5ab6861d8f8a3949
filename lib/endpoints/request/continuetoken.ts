import { parseJson } from '../../codec/index.ts'
import { type Revision, statusErrors } from '../../object/index.ts'

/** Where a list goes on, and at which state. */
interface ContinueToken {
  /** First key to be listed. */
  readonly start: string
  /** Undefined: whatever the state is now (a list that gave up on consistency). */
  readonly revision: Revision | undefined
}

const tokenVersion = 'meta.k8s.io/v1'
const inconsistentRevision = -1

/**
 * A token as every replica and the stock server understand it. `lastKey`: the last key that was listed, below `prefix`.
 * `revision` undefined: a token that goes on at the latest state.
 */
export function encodeContinue(lastKey: string, prefix: string, revision: Revision | undefined): string {
  const start = `${lastKey.slice(prefix.length)}\0`
  const token = { v: tokenVersion, rv: revision ?? inconsistentRevision, start }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/** Throws 400 for what was never a token. */
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
  // A token must not lead out of the range that the request is about.
  if (!isClean(start)) return fail(start)
  return { start: prefix + start.replace(/^\//, ''), revision: rv < 0 ? undefined : (rv as Revision) }
}

/** Position of the first byte that is none of unpadded base64url. */
function illegalByte(token: string): number | undefined {
  const position = token.search(/[^A-Za-z0-9_-]/)
  if (position >= 0) return position
  return token.length % 4 === 1 ? token.length - 1 : undefined
}

function isClean(start: string): boolean {
  const steps = start.replace(/^\//, '').split('/')
  return steps.every((step) => step !== '' && step !== '.' && step !== '..')
}
