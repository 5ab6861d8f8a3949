import type { RequestHeaderOptions } from '../../lib/authn/index.ts'
import type { Clock, Closable, Logger } from '../../lib/base/index.ts'
import { type ApiObject, semanticEqual } from '../../lib/object/index.ts'
import { readCertificates } from '../../lib/pki/index.ts'
import type { Registry } from '../../lib/registry/index.ts'
import type { CertificateProvider, PostStartHook } from '../../lib/server/index.ts'
import { ownContext } from './ownwrites.ts'

const namespace = 'kube-system'
const name = 'extension-apiserver-authentication'
const refreshMs = 60_000
/** Clocks of the cluster may differ by this much: an authority is dropped when it has been over for longer. */
const slackMs = 300_000

type Data = Readonly<Record<string, string>>

/** Whom this replica believes: authorities of clients, and of front proxies with the headers that they speak in. */
export interface ClusterAuthentication {
  /** PEM; '' for none. */
  readonly clientAuthorities: string
  readonly proxyAuthorities: string
  readonly requestHeader: RequestHeaderOptions | undefined
}

interface Parts {
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly certificates: CertificateProvider
}

/**
 * Keeps the ConfigMap by which aggregated servers, the controller manager and the scheduler learn how to know their
 * clients: they don't start without it. All replicas add to it what they believe; nobody takes away what still holds, so
 * that replicas may differ while authorities are exchanged.
 */
export function createClusterAuthentication(
  { clock, log, registry, certificates }: Parts,
  requestHeader: RequestHeaderOptions | undefined,
): PostStartHook & Closable {
  const closing = new AbortController()
  const context = ownContext(closing.signal)
  const open: Closable[] = []

  async function publish(): Promise<void> {
    const configMaps = registry.resource({ group: '', resource: 'configmaps' })
    if (!configMaps) return
    const { clientAuthorities, proxyAuthorities = '' } = certificates.current()
    const own = { clientAuthorities, proxyAuthorities, requestHeader }
    const target = configMaps.target(namespace, name)
    const merged = (found: ApiObject | undefined): ApiObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      ...found,
      metadata: found ? { ...found.metadata } : { name, namespace },
      data: { ...mergeClusterAuthentication((found?.['data'] ?? {}) as Data, own, clock.now()) },
    })
    const known = configMaps.cache.peek(target.key)?.object()
    if (known && semanticEqual(known['data'] ?? {}, merged(known)['data'])) return
    await configMaps.update(
      target,
      { subresource: '', createMissing: true, transform: (found) => merged(found?.object) },
      context,
    )
  }

  async function attempt(): Promise<void> {
    try {
      await publish()
    } catch (error) {
      if (!closing.signal.aborted) log.warn('the authorities of clients could not be published', { error })
    }
  }

  return {
    name: 'start-cluster-authentication-info-controller',
    async run() {
      await attempt()
      if (closing.signal.aborted) return
      const again = (): void => void attempt()
      open.push(clock.every(refreshMs, again), certificates.onChange(again))
    },
    async close() {
      closing.abort(new Error('the server stops'))
      for (const each of open) await each.close()
    },
  }
}

/** What is published already, with what one replica believes, without authorities whose time is over. */
export function mergeClusterAuthentication(published: Data, own: ClusterAuthentication, nowMs: number): Data {
  const bundle = (key: string, more: string): string => mergeBundles(published[key] ?? '', more, nowMs)
  const list = (key: string, more: readonly string[] = []): string =>
    JSON.stringify([...new Set([...readList(published[key]), ...more])])
  const clients = bundle('client-ca-file', own.clientAuthorities)
  const proxies = bundle('requestheader-client-ca-file', own.proxyAuthorities)
  const headers = own.requestHeader
  const uidHeaders = list('requestheader-uid-headers', headers?.uidHeaders)
  return {
    ...(clients !== '' && { 'client-ca-file': clients }),
    // Headers mean nothing without somebody who may set them.
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

/** What somebody else has written may be anything: what can't be read is replaced. */
function readable(pem: string): ReturnType<typeof readCertificates> {
  try {
    return readCertificates(pem)
  } catch {
    return []
  }
}

function readList(text = '[]'): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
