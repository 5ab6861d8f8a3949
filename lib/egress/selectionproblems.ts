import { existsSync } from 'node:fs'
import type {
  EgressSelection,
  TCPTransport,
  TLSConfig,
  Transport,
  UDSTransport,
} from '../../api/gen/apiserver.k8s.io/v1beta1.ts'
import { type FieldError, FieldPath, fieldErrors } from '../object/index.ts'
import { egressNames } from './contract.ts'

const protocols = ['Direct', 'HTTPConnect', 'GRPC']
/** The stock server's paths, which name no index. */
const at = FieldPath.root('service').child('connection')

/** The mistakes in the selections of a file, such as files that do not exist. */
export function selectionProblems(selections: readonly EgressSelection[]): FieldError[] {
  return [...selections.flatMap(connectionProblems), ...nameProblems(selections)]
}

function connectionProblems({ connection: { proxyProtocol = '', transport } }: EgressSelection): FieldError[] {
  switch (proxyProtocol) {
    case 'Direct':
      return transport
        ? [fieldErrors.invalid(at.child('transport'), 'direct', 'config must be absent for direct connect')]
        : []
    case 'HTTPConnect':
      return transport ? connectProblems(transport) : missing('transport', 'transport must be set for HTTPConnect')
    case 'GRPC':
      if (!transport) return missing('transport', 'transport must be set for GRPC')
      return transport.uds ? socketProblems(transport.uds) : missing('uds', 'UDS must be set with GRPC')
    default:
      return [fieldErrors.notSupported(at.child('protocol'), proxyProtocol, protocols)]
  }
}

function missing(field: string, why: string): FieldError[] {
  return [fieldErrors.required(at.child(field), why)]
}

function connectProblems({ tcp, uds }: Transport): FieldError[] {
  if (tcp && uds) return [fieldErrors.invalid(at.child('tcp'), tcp, 'TCP and UDS cannot both be set')]
  if (tcp) return addressProblems(tcp)
  return uds ? socketProblems(uds) : missing('tcp', 'One of TCP or UDS must be set')
}

function socketProblems({ udsName = '' }: UDSTransport): FieldError[] {
  return udsName === '' ? [fieldErrors.invalid(at.child('udsName'), 'nil', 'must be present for UDS connections')] : []
}

function addressProblems({ url = '', tlsConfig }: TCPTransport): FieldError[] {
  if (url.startsWith('http://'))
    return tlsConfig
      ? [fieldErrors.invalid(at.child('tlsConfig'), 'nil', 'config must not be present when using HTTP')]
      : []
  if (url.startsWith('https://'))
    return tlsConfig ? fileProblems(tlsConfig) : missing('tlsConfig', 'TLSConfig must be present when using HTTPS')
  return [fieldErrors.invalid(at.child('url'), url, 'supported connection protocols are http:// and https://')]
}

function fileProblems({ caBundle = '', clientCert = '', clientKey = '' }: TLSConfig): FieldError[] {
  const tls = at.child('tlsConfig')
  const absent = (field: string, file: string, what: string): FieldError[] =>
    existsSync(file) ? [] : [fieldErrors.invalid(tls.child(field), file, `TLS ${what} does not exist`)]
  const empty = (field: string, why: string): FieldError[] => [fieldErrors.invalid(tls.child(field), 'nil', why)]
  return [
    ...(caBundle === '' ? [] : absent('caBundle', caBundle, 'config ca bundle')),
    ...(clientCert === ''
      ? empty('clientCert', 'Using TLS requires clientCert')
      : absent('clientCert', clientCert, 'client cert')),
    // The doubled word is the stock server's.
    ...(clientKey === ''
      ? empty('clientKey', 'Using TLS requires requires clientKey')
      : absent('clientKey', clientKey, 'client key')),
  ]
}

function nameProblems(selections: readonly EgressSelection[]): FieldError[] {
  const seen = new Set<string>()
  return selections.flatMap(({ name }, index) => {
    const canonical = name.toLowerCase()
    if (seen.has(canonical)) return [fieldErrors.duplicate(at.index(index), canonical)]
    seen.add(canonical)
    const known: readonly string[] = egressNames
    return known.includes(canonical) ? [] : [fieldErrors.notSupported(at, canonical, known)]
  })
}
