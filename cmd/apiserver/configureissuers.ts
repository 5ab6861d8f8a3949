import { readFile } from 'node:fs/promises'
import { type AuthenticationConfiguration, allAlgorithms, type JwsAlgorithm } from '../../lib/authn/index.ts'
import type { IssuersConfig } from '../../lib/controlplane/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** The token issuers that the flags configure; undefined without any. Reads the file of --oidc-ca-file. */
export async function issuersConfig(
  flags: ApiserverFlags,
  given: ReadonlySet<string>,
): Promise<IssuersConfig | undefined> {
  const file = flags['authentication-config']
  if (file !== '') return { file, pollMs: 10_000, anonymousIsSet: given.has('anonymous-auth') }
  const url = flags['oidc-issuer-url']
  if (url === '') return undefined
  const caFile = flags['oidc-ca-file']
  const certificateAuthority = caFile === '' ? '' : await readFile(caFile, 'utf8')
  const claim = flags['oidc-username-claim']
  const prefix = flags['oidc-username-prefix']
  const groups = flags['oidc-groups-claim']
  const required = [...flags['oidc-required-claim']]
  const configuration: AuthenticationConfiguration = {
    jwt: [
      {
        issuer: { url, audiences: [flags['oidc-client-id']], certificateAuthority },
        claimValidationRules: required.map(([name, value]) => ({ claim: name, requiredValue: value })),
        claimMappings: {
          username: { claim, prefix: prefix === '-' ? '' : prefix || (claim === 'email' ? '' : `${url}#`) },
          groups: groups === '' ? undefined : { claim: groups, prefix: flags['oidc-groups-prefix'] },
        },
      },
    ],
  }
  // issuersProblem has checked the values.
  return { configuration, algorithms: flags['oidc-signing-algs'] as JwsAlgorithm[] }
}

/** The first problem of the issuer flags; undefined when there is none. */
export function issuersProblem(flags: ApiserverFlags, given: ReadonlySet<string>): string | undefined {
  if ((flags['oidc-issuer-url'] === '') !== (flags['oidc-client-id'] === ''))
    return '--oidc-issuer-url and --oidc-client-id need each other'
  const algorithms: readonly string[] = allAlgorithms
  const unknown = flags['oidc-signing-algs'].find((each) => !algorithms.includes(each))
  if (unknown !== undefined) return `--oidc-signing-algs: "${unknown}" is none of ${algorithms.join(', ')}`
  if (flags['oidc-issuer-url'] === '' && given.has('oidc-required-claim'))
    return '--oidc-required-claim needs --oidc-issuer-url'
  return undefined
}
