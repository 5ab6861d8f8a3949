import type { RequestHeaderOptions } from '../../lib/authn/index.ts'
import type { ApiserverConfig } from '../../lib/controlplane/index.ts'
import type { FrontProxy } from './credentials.ts'
import type { UpFlags } from './flags.ts'

/** The headers by which the API server names its users to aggregated servers. */
export const frontProxyHeaders: RequestHeaderOptions = Object.freeze({
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
})

type Flags = Pick<
  UpFlags,
  | 'requestheader-client-ca-file'
  | 'requestheader-allowed-names'
  | 'requestheader-username-headers'
  | 'requestheader-uid-headers'
  | 'requestheader-group-headers'
  | 'requestheader-extra-headers-prefix'
  | 'proxy-client-cert-file'
  | 'proxy-client-key-file'
>

/** True: the operator has configured a front proxy, and the own one is not used. */
function isConfigured(flags: Flags): boolean {
  const files = ['requestheader-client-ca-file', 'proxy-client-cert-file', 'proxy-client-key-file'] as const
  return files.some((name) => flags[name] !== '')
}

/** The flags with which the own front proxy is trusted. */
export function frontProxyFlags(flags: Flags, caFile: string): Partial<Flags> {
  if (isConfigured(flags)) return {}
  const { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraPrefixes } = frontProxyHeaders
  return {
    'requestheader-client-ca-file': caFile,
    'requestheader-allowed-names': [...allowedNames],
    'requestheader-username-headers': [...usernameHeaders],
    'requestheader-uid-headers': [...uidHeaders],
    'requestheader-group-headers': [...groupHeaders],
    'requestheader-extra-headers-prefix': [...extraPrefixes],
  }
}

/** The client certificate that the server shows to aggregated servers. */
export function frontProxyClient(
  flags: Flags,
  aggregation: ApiserverConfig['aggregation'],
  { client: { certificate, key } }: FrontProxy,
): Pick<ApiserverConfig, 'aggregation'> {
  if (isConfigured(flags)) return { aggregation }
  const settings = aggregation ?? { routesToEndpoints: false, rejectsRedirects: true }
  return { aggregation: { ...settings, proxyClient: { cert: certificate, key } } }
}
