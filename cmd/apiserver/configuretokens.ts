import { readFile } from 'node:fs/promises'
import { publicHalfOf, readSigningKey, readVerifyingKeys, type TokenKey } from '../../lib/authn/index.ts'
import { reasonOf, type ServiceAccountConfig } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** The service account tokens that the flags configure; undefined without a key. Rejects with FlagError. */
export async function serviceAccountConfig(
  flags: ApiserverFlags,
  gate: (name: string) => boolean,
): Promise<ServiceAccountConfig | undefined> {
  const signingEndpoint = flags['service-account-signing-endpoint']
  if (signingEndpoint !== '' && !gate('ExternalServiceAccountTokenSigner')) {
    const needs = 'requires enabling ExternalServiceAccountTokenSigner feature gate'
    throw new FlagError(`setting \`--service-account-signing-endpoint\` ${needs}`)
  }
  const signingFile = flags['service-account-signing-key-file']
  const signingKey =
    signingFile === ''
      ? undefined
      : await readKeys('service-account-signing-key-file', signingFile, (pem) => readSigningKey(pem))
  const keys = signingEndpoint === '' ? await verifyingKeys(flags, signingKey) : []
  if (keys.length === 0 && signingEndpoint === '') return undefined
  return {
    issuers: flags['service-account-issuer'],
    keys,
    signingKey,
    ...(signingEndpoint !== '' && { signingEndpoint }),
    lookup: flags['service-account-lookup'],
    keysUri: flags['service-account-jwks-uri'],
    expirationSecondsMax: Math.floor(flags['service-account-max-token-expiration'] / 1000),
    extendExpiration: flags['service-account-extend-token-expiration'],
  }
}

/**
 * The keys of --service-account-key-file, else the public half of the signing key, else that of the serving key if it
 * can sign tokens.
 */
async function verifyingKeys(flags: ApiserverFlags, signingKey: TokenKey | undefined): Promise<TokenKey[]> {
  const files = flags['service-account-key-file']
  const read = await Promise.all(
    files.map((file) => readKeys('service-account-key-file', file, (pem) => readVerifyingKeys(pem))),
  )
  if (files.length > 0) return distinct(read.flat())
  if (signingKey) return [publicHalfOf(signingKey)]
  const servingFile = flags['tls-private-key-file']
  if (servingFile === '') return []
  try {
    return await readKeys('tls-private-key-file', servingFile, (pem) => readVerifyingKeys(pem))
  } catch {
    return [] // a key type that signs no tokens: none is accepted
  }
}

function distinct(keys: readonly TokenKey[]): TokenKey[] {
  return [...new Map(keys.map((key) => [key.keyId, key])).values()]
}

async function readKeys<Result>(flag: string, file: string, read: (pem: string) => Result): Promise<Result> {
  try {
    return read(await readFile(file, 'utf8'))
  } catch (error) {
    throw new FlagError(`--${flag}: ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

const hourMs = 3_600_000

/** The first problem of the service account token flags; undefined when there is none. */
export function serviceAccountProblem(flags: ApiserverFlags): string | undefined {
  const issuers = flags['service-account-issuer']
  for (const issuer of issuers) {
    if (issuer.trim() === '') return '--service-account-issuer must not be empty'
    if (issuer.includes(':') && !URL.canParse(issuer))
      return `--service-account-issuer: "${issuer}" contains a colon and is no URL`
  }
  if (new Set(issuers).size < issuers.length) return '--service-account-issuer names an issuer twice'
  // Without any of the three the server issues no tokens: it can start without any files.
  const isAttempted = issuers.length > 0 || flags['api-audiences'].length > 0
  const endpoint = flags['service-account-signing-endpoint']
  const wrongEndpoint = endpoint === '' ? undefined : endpointProblem(endpoint, flags)
  if (wrongEndpoint !== undefined) return wrongEndpoint
  const signs = flags['service-account-signing-key-file'] !== '' || endpoint !== ''
  if (signs !== isAttempted || (isAttempted && issuers.length === 0))
    return '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together'
  const uri = flags['service-account-jwks-uri']
  if (uri !== '' && !(URL.canParse(uri) && uri.startsWith('https://')))
    return '--service-account-jwks-uri must be an https URL'
  const maxMs = flags['service-account-max-token-expiration']
  if (maxMs !== 0 && (maxMs < hourMs || maxMs > 2 ** 32 * 1000))
    return '--service-account-max-token-expiration must be between 1 hour and 2^32 seconds'
  return undefined
}

function endpointProblem(endpoint: string, flags: ApiserverFlags): string | undefined {
  const name = '`--service-account-signing-endpoint`'
  if (flags['service-account-signing-key-file'] !== '' || flags['service-account-key-file'].length > 0) {
    const files = '`--service-account-signing-key-file` and/or `--service-account-key-file`'
    return `can't set ${files} with ${name} (They are mutually exclusive)`
  }
  if (/^@.|^\//.test(endpoint)) return undefined
  const should =
    'should be a valid location on the filesystem or must be prefixed with @ to name UDS in abstract namespace'
  return `invalid value "${endpoint}" passed for ${name}, ${should}`
}
