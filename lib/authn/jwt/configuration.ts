import { appendAll } from '../../base/index.ts'
import { type ApiObject, parseGroupVersion } from '../../object/index.ts'
import { type KindCodec, readTypeMeta } from '../../scheme/index.ts'
import type { JwsAlgorithm } from '../jws.ts'
import { type CompiledMappings, compileAuthenticator } from './mappings.ts'
import { problemsOf } from './validate.ts'

interface ClaimOrExpression {
  readonly claim?: string
  readonly expression?: string
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix?: string
}

/** apiserver.config.k8s.io JWTAuthenticator; all versions have the same fields. */
export interface JwtAuthenticatorConfig {
  readonly issuer: {
    readonly url: string
    readonly discoveryURL?: string
    readonly certificateAuthority?: string
    readonly audiences: readonly string[]
    readonly audienceMatchPolicy?: string
    readonly egressSelectorType?: string
  }
  readonly claimValidationRules?: readonly {
    readonly claim?: string
    readonly requiredValue?: string
    readonly expression?: string
    readonly message?: string
  }[]
  readonly claimMappings: {
    readonly username: PrefixedClaimOrExpression
    readonly groups?: PrefixedClaimOrExpression
    readonly uid?: ClaimOrExpression
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[]
  }
  readonly userValidationRules?: readonly { readonly expression: string; readonly message?: string }[]
}

interface AnonymousConfig {
  readonly enabled: boolean
  /** Empty or absent: every path. */
  readonly conditions?: readonly { readonly path: string }[]
}

export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtAuthenticatorConfig[]
  readonly anonymous?: AnonymousConfig
}

/** One issuer's configuration with compiled expressions. */
export interface JwtAuthenticatorSettings {
  readonly config: JwtAuthenticatorConfig
  readonly mappings: CompiledMappings
  readonly algorithms: readonly JwsAlgorithm[]
}

export const allAlgorithms: readonly JwsAlgorithm[] = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
]

const group = 'apiserver.config.k8s.io'
const kind = 'AuthenticationConfiguration'
const versions = ['v1', 'v1beta1', 'v1alpha1']

export interface ParsedConfiguration {
  readonly jwt: readonly JwtAuthenticatorSettings[]
  readonly anonymous: AnonymousConfig | undefined
}

/**
 * Parses --authentication-config, strictly. Throws an Error whose message has a line `path: problem` for each problem.
 */
export function parseAuthenticationConfiguration(
  text: string,
  codec: KindCodec,
  disallowedIssuers: readonly string[],
): ParsedConfiguration {
  const { version } = parseGroupVersion(readTypeMeta(text).apiVersion) ?? { version: '' }
  const { object } = codec.decodeObject(Buffer.from(text), {
    mediaType: 'application/yaml',
    expected: { group, version: versions.includes(version) ? version : 'v1', kind },
    fieldValidation: 'Strict',
  })
  requireKind(object)
  // The kind's type describes the decoded object.
  return completeAuthenticationConfiguration(object as AuthenticationConfiguration, disallowedIssuers, allAlgorithms)
}

function requireKind(object: ApiObject): void {
  if (object.kind !== kind || !object.apiVersion.startsWith(`${group}/`))
    throw new Error(`the file holds a ${object.kind} of ${object.apiVersion}, no ${kind} of ${group}`)
}

/** As parseAuthenticationConfiguration, for a configuration made from flags. */
export function completeAuthenticationConfiguration(
  { jwt: given = [], anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
  algorithms: readonly JwsAlgorithm[],
): ParsedConfiguration {
  const jwt = given.map(complete)
  const problems = problemsOf({ jwt, anonymous }, disallowedIssuers)
  const settings = jwt.map((config, index) => {
    const { mappings, problems: more } = compileAuthenticator(config, `jwt[${index}]`)
    appendAll(problems, more)
    return { config, mappings, algorithms }
  })
  if (problems.length > 0) throw new Error(problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
  return { jwt: settings, anonymous }
}

/** Decoded objects may lack members that their types require. */
function complete(config: JwtAuthenticatorConfig): JwtAuthenticatorConfig {
  return {
    ...config,
    issuer: { ...config.issuer, url: config.issuer?.url ?? '', audiences: config.issuer?.audiences ?? [] },
    claimMappings: { ...config.claimMappings, username: config.claimMappings?.username ?? {} },
  }
}
