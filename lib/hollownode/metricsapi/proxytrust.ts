import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { resources } from '../../../api/gen/resources.ts'
import { createRequestHeaderAuthenticator, type RequestHeaderOptions } from '../../authn/index.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { parseJsonText, StatusError } from '../../object/index.ts'
import { createChainVerifier, type PresentedCertificates } from '../../pki/index.ts'
import type { UserInfo } from '../../request/index.ts'

/** The front proxies that are trusted: the API servers of the cluster, as they have published it. */
export interface ProxyTrust {
  /** Authorities of front proxies, PEM. */
  readonly authorities: string
  /** The user that a front proxy names; undefined where none is named, or the client is no front proxy. */
  userOf(request: IncomingMessage): UserInfo | undefined
}

const namespace = 'kube-system'
const name = 'extension-apiserver-authentication'
/** A longer chain is refused. */
const certificatesMax = 17

/** Reads which front proxies are trusted, and with which headers. Resolves with undefined where none is. */
export async function readProxyTrust(
  { clock, client }: { readonly clock: Clock; readonly client: Client },
  signal: AbortSignal,
): Promise<ProxyTrust | undefined> {
  const { data = {} } = await client.resource(resources.core.v1.configmaps).get({ namespace, name }, { signal })
  const authorities = data['requestheader-client-ca-file'] ?? ''
  if (authorities === '') return undefined
  const list = (key: string): string[] => textsOf(data[`requestheader-${key}`])
  return createProxyTrust(clock, authorities, {
    allowedNames: list('allowed-names'),
    usernameHeaders: list('username-headers'),
    uidHeaders: list('uid-headers'),
    groupHeaders: list('group-headers'),
    extraPrefixes: list('extra-headers-prefix'),
  })
}

function createProxyTrust(clock: Clock, pem: string, options: RequestHeaderOptions): ProxyTrust {
  const authenticator = createRequestHeaderAuthenticator({ clock }, createChainVerifier(clock, pem), options)
  const authorities = { pem }
  return {
    authorities: pem,
    userOf(request) {
      const result = authenticator.authenticate({
        headers: joinedHeaders(request),
        headerValues: (header) => request.headersDistinct[header] ?? [],
        clientCertificates: () => presentedBy(request.socket as TLSSocket, authorities, clock.now()),
      })
      return result.outcome === 'authenticated' ? result.user : undefined
    },
  }
}

function joinedHeaders({ headersDistinct }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([header, values]) => [header, values?.join(', ')]))
}

/** The certificates of the handshake, with OpenSSL's verdict. */
function presentedBy(
  socket: TLSSocket,
  authorities: PresentedCertificates['authorities'],
  verifiedAtMs: number,
): PresentedCertificates | undefined {
  const chain: Uint8Array[] = []
  let certificate = socket.getPeerX509Certificate()
  for (; certificate && chain.length < certificatesMax; certificate = certificate.issuerCertificate)
    chain.push(certificate.raw)
  if (chain.length === 0) return undefined
  // Node's types declare an Error; it is OpenSSL's code.
  const code = socket.authorizationError as unknown
  const refusal = socket.authorized ? undefined : typeof code === 'string' ? code : 'UNSPECIFIED'
  return { chain, refusal, authorities, verifiedAtMs }
}

function textsOf(json = '[]'): string[] {
  try {
    const list: unknown = parseJsonText(json)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch (error) {
    if (error instanceof StatusError || error instanceof SyntaxError) return []
    throw error
  }
}
