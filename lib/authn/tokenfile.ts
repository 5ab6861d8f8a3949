import { hash, timingSafeEqual } from 'node:crypto'
import type { UserInfo } from '../request/index.ts'
import type { AuthenticationResult, TokenAuthenticator } from './authenticator.ts'

export interface TokenEntry {
  readonly token: string
  readonly user: UserInfo
}

const none: AuthenticationResult = { outcome: 'none' }

/**
 * Parses the lines `token,user,uid,"group1,group2"` of --token-auth-file. The later of two lines with the same token is
 * used; lines without a token are ignored. Throws an Error that names the line, never its contents.
 */
export function parseTokenFile(text: string): TokenEntry[] {
  const entries = new Map<string, TokenEntry>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [token = '', name, uid, ...groups] = readFields(line, index + 1)
    if (name === undefined || uid === undefined)
      throw new Error(`line ${index + 1} of the token file needs at least three columns: token, user name, user uid`)
    if (token === '') continue
    const members = groups.flatMap((field) => field.split(',')).map((group) => group.trim())
    entries.set(token, { token, user: { name, uid, groups: members.filter((group) => group !== ''), extra: {} } })
  }
  return [...entries.values()]
}

/** Tokens are compared by their digests, in constant time. */
export function createTokenFileAuthenticator(entries: readonly TokenEntry[]): TokenAuthenticator {
  const users = new Map<string, { digest: Uint8Array; result: AuthenticationResult }>()
  for (const { token, user } of entries) {
    const digest = hash('sha256', token, 'buffer')
    users.set(digest.toString('latin1'), { digest, result: { outcome: 'authenticated', user } })
  }
  return {
    name: 'token-file',
    authenticateToken(token) {
      const digest = hash('sha256', token, 'buffer')
      const found = users.get(digest.toString('latin1'))
      return found !== undefined && timingSafeEqual(found.digest, digest) ? found.result : none
    },
  }
}

function readFields(line: string, number: number): string[] {
  const fields: string[] = []
  let rest = line
  for (;;) {
    const [whole = '', quoted, bare = ''] = /^\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(?=,|$)/.exec(rest) ?? [undefined]
    if (whole === '' && rest !== '' && !rest.startsWith(','))
      throw new Error(`line ${number} of the token file has a quote in the wrong place`)
    fields.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'))
    rest = rest.slice(whole.length)
    if (rest === '') return fields
    rest = rest.slice(1)
  }
}
