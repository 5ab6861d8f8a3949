import { isRecord } from '../../base/index.ts'
import { parseJsonText, quote } from '../../object/index.ts'
import type { Credentials } from '../credentials.ts'
import { type FileFields, textField } from '../fields.ts'

export interface ExecCredential {
  readonly credentials: Credentials
  /** Milliseconds since the epoch; undefined: valid until a server refuses them. */
  readonly expiresAtMs: number | undefined
}

/** Reads the ExecCredential that a program printed. Throws an Error of one line that quotes none of it but versions. */
export function readExecCredential(output: string, apiVersion: string): ExecCredential {
  const printed = parse(output)
  const kind = textField(printed, 'kind')
  if (kind !== 'ExecCredential') throw new Error(`exec plugin returned an object of kind ${quote(kind)}`)
  const version = textField(printed, 'apiVersion')
  if (version !== apiVersion)
    throw new Error(`exec plugin is configured to use API version ${apiVersion}, plugin returned version ${version}`)
  const status = printed['status']
  if (!isRecord(status)) throw new Error("exec plugin didn't return a status field")
  const token = textField(status, 'token')
  const cert = textField(status, 'clientCertificateData')
  const key = textField(status, 'clientKeyData')
  if (token === '' && cert === '' && key === '') throw new Error("exec plugin didn't return a token or cert/key pair")
  if ((cert === '') !== (key === '')) throw new Error('exec plugin returned only certificate or key, not both')
  return {
    credentials: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(cert === '' ? {} : { cert, key }),
    },
    expiresAtMs: readExpiry(status),
  }
}

function parse(output: string): FileFields {
  let parsed: unknown
  try {
    parsed = parseJsonText(output)
  } catch {
    // The parser's message would quote the output.
  }
  if (!isRecord(parsed)) throw new Error('exec plugin printed no JSON object')
  return parsed
}

function readExpiry(status: FileFields): number | undefined {
  const text = status['expirationTimestamp']
  if (text === undefined || text === null) return undefined
  const atMs = typeof text === 'string' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs)) throw new Error('exec plugin returned an expirationTimestamp that is no time')
  return atMs
}
