import type { RequestHeaderOptions } from '../../authn/index.ts'
import { parseJsonText } from '../../object/index.ts'
import { readCertificates } from '../../pki/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { CertificateProvider } from '../../server/index.ts'
import type { Hook, HookServices } from './hook.ts'
import { type ConfigMapData, keepConfigMap } from './keptconfigmap.ts'

/** Clocks of the cluster may differ by this much: an authority is dropped when it expired before that. */
const slackMs = 300_000

/** The authorities that this replica trusts for clients, and for front proxies with the headers that they set. */
export interface ClusterAuthentication {
  /** PEM; '' for none. */
  readonly clientAuthorities: string
  readonly proxyAuthorities: string
  readonly requestHeader: RequestHeaderOptions | undefined
}

interface Parts extends HookServices {
  readonly registry: Registry
  readonly certificates: CertificateProvider
}

/**
 * Maintains the ConfigMap by which aggregated servers, the controller manager and the scheduler learn how to
 * authenticate their clients: they don't start without it. Every replica adds the authorities that it trusts and none
 * removes valid ones, so that replicas may differ while authorities are exchanged.
 */
export function createClusterAuthentication(parts: Parts, requestHeader: RequestHeaderOptions | undefined): Hook {
  const { clock, certificates } = parts
  return keepConfigMap(parts, {
    name: 'extension-apiserver-authentication',
    hook: 'start-cluster-authentication-info-controller',
    refreshMs: 60_000,
    data(found) {
      const { clientAuthorities, proxyAuthorities = '' } = certificates.current()
      return mergeClusterAuthentication(found, { clientAuthorities, proxyAuthorities, requestHeader }, clock.now())
    },
    onChange: (again) => certificates.onChange(again),
  })
}

/** Merges the published authorities with those of one replica, without expired ones. */
export function mergeClusterAuthentication(
  published: ConfigMapData,
  own: ClusterAuthentication,
  nowMs: number,
): ConfigMapData {
  const bundle = (key: string, more: string): string => mergeBundles(published[key] ?? '', more, nowMs)
  const list = (key: string, more: readonly string[] = []): string =>
    JSON.stringify([...new Set([...readList(published[key]), ...more])])
  const clients = bundle('client-ca-file', own.clientAuthorities)
  const proxies = bundle('requestheader-client-ca-file', own.proxyAuthorities)
  const headers = own.requestHeader
  const uidHeaders = list('requestheader-uid-headers', headers?.uidHeaders)
  return {
    ...(clients !== '' && { 'client-ca-file': clients }),
    // Headers have no effect without a front proxy that may set them.
    ...(proxies !== '' && {
      'requestheader-client-ca-file': proxies,
      'requestheader-allowed-names': list('requestheader-allowed-names', headers?.allowedNames),
      'requestheader-username-headers': list('requestheader-username-headers', headers?.usernameHeaders),
      'requestheader-group-headers': list('requestheader-group-headers', headers?.groupHeaders),
      'requestheader-extra-headers-prefix': list('requestheader-extra-headers-prefix', headers?.extraPrefixes),
      ...(uidHeaders !== '[]' && { 'requestheader-uid-headers': uidHeaders }),
    }),
  }
}

function mergeBundles(published: string, own: string, nowMs: number): string {
  const blocks = [...readable(published), ...readCertificates(own)]
    .filter(({ validToDate }) => validToDate.getTime() > nowMs - slackMs)
    .map((certificate) => certificate.toString())
  return [...new Set(blocks)].join('')
}

/** Another client may have written anything: an unreadable text is replaced. */
function readable(pem: string): ReturnType<typeof readCertificates> {
  try {
    return readCertificates(pem)
  } catch {
    return []
  }
}

function readList(text = '[]'): string[] {
  try {
    const list: unknown = parseJsonText(text)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
