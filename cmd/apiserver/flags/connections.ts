import { bool, commaList, integer, integerList, ipAddress, namedCertKeys, text } from '../../../lib/flags/index.ts'

export const serving = {
  'bind-address': ipAddress('0.0.0.0', 'Address to listen on; 0.0.0.0 or :: for all.'),
  'cert-dir': text(
    '/var/run/kubernetes',
    'Folder with the serving certificate, apiserver.crt and apiserver.key, when no --tls-cert-file is given; made there ' +
      'when there is none.',
  ),
  'disable-http2-serving': bool(false, 'Speak HTTP/1.1 only.'),
  'http2-max-streams-per-connection': integer(0, 'Requests at once on one HTTP/2 connection; 0: 1000.', { min: 0 }),
  // kubeadm wrote it into manifests up to release 1.20.
  'insecure-port': integer(0, 'Port without TLS: 0, as there is none.', {
    min: 0,
    max: 0,
    hidden: true,
    deprecated: 'there is no port without TLS',
  }),
  'permit-address-sharing': bool(false, 'Listen with SO_REUSEADDR.', { ineffective: 'that is always so' }),
  'permit-port-sharing': bool(false, 'Listen with SO_REUSEPORT: several servers share the port.'),
  'secure-port': integer(6443, 'Port for HTTPS.', { min: 0, max: 65535 }),
  'tls-cert-file': text('', 'Serving certificate, PEM, followed by those that signed it.'),
  'tls-cipher-suites': commaList([], 'Cipher suites for TLS 1.2, by their IANA names; empty: a good choice.'),
  'tls-curve-preferences': integerList([], 'Curves for the key exchange, by their TLS numbers.'),
  'tls-min-version': text('', 'Minimum TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.'),
  'tls-private-key-file': text('', 'Key of --tls-cert-file.'),
  'tls-sni-cert-key': namedCertKeys('Further certificate and key files for some host names: cert,key[:name,...].'),
} as const

export const egress = {
  'egress-selector-config-file': text(
    '',
    'File (EgressSelectorConfiguration) with the proxies through which nodes, pods and services (cluster), other servers ' +
      '(controlplane) and etcd (etcd) are reached.',
  ),
} as const
