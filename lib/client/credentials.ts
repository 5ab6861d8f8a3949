import { readFile } from 'node:fs/promises'
import type { Clock } from '../base/index.ts'

/** The client's own credentials. */
export interface Credentials {
  /** Value of the Authorization header. */
  readonly authorization?: string
  /** The client's certificate and key, PEM. */
  readonly cert?: string
  readonly key?: string
}

/** Credentials that change while they are used. */
export interface CredentialSource {
  /** The present credentials. Rejects with an Error of one line that holds no secret, or the signal's reason. */
  current(signal?: AbortSignal): Promise<Credentials>
  /** The credentials to try after a server has refused `shown`; undefined when there are no others. */
  renewed(shown: Credentials, signal?: AbortSignal): Promise<Credentials | undefined>
}

/** Files that hold credentials; absent: none of that kind. */
export interface CredentialFiles {
  /** Holds a bearer token. */
  readonly token?: string
  /** Holds the client certificate. */
  readonly cert?: string
  readonly key?: string
}

/** How long the contents of a file are used before it is read again. */
const fileAgeMaxMs = 60_000

/**
 * Reads files again from time to time, and at once when a server refuses their contents. `fixed` credentials are added
 * to them.
 */
export function createFileCredentials(
  { clock }: { clock: Clock },
  files: CredentialFiles,
  fixed: Credentials = {},
): CredentialSource {
  let known: { readonly credentials: Credentials; readonly untilMs: number } | undefined

  async function read(): Promise<Credentials> {
    const [token, cert, key] = await Promise.all([files.token, files.cert, files.key].map(readNamed))
    const text = token?.trim() ?? ''
    const credentials = {
      ...fixed,
      ...(text === '' ? {} : { authorization: `Bearer ${text}` }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    }
    known = { credentials, untilMs: clock.monotonicMs() + fileAgeMaxMs }
    return credentials
  }

  return {
    async current() {
      if (known && clock.monotonicMs() < known.untilMs) return known.credentials
      try {
        return await read()
      } catch (error) {
        // The file is being replaced: the previous contents may still be valid.
        if (known) return known.credentials
        throw error
      }
    },
    async renewed(shown) {
      const next = await read()
      return isSame(next, shown) ? undefined : next
    },
  }
}

async function readNamed(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : await readFile(path, 'utf8')
}

export function isSame(left: Credentials, right: Credentials): boolean {
  return left.authorization === right.authorization && left.cert === right.cert && left.key === right.key
}
