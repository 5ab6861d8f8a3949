import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverV1beta1: GroupVersionTable = {
  group: 'apiserver.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1beta1',
  types: {
    Connection: {
      doc: 'A way by which connections go out.',
      fields: {
        proxyProtocol: { type: 'string', doc: 'Direct, HTTPConnect or GRPC.' },
        transport: { type: '*Transport', doc: 'How the proxy is reached; none for Direct.' },
      },
    },
    EgressSelection: {
      doc: 'The way of connections to one destination.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The destination: cluster, controlplane or etcd.' },
        connection: { type: 'Connection', omit: 'never', doc: 'The way.' },
      },
    },
    EgressSelectorConfiguration: {
      doc: 'By which way connections go out.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        egressSelections: { type: '[]EgressSelection', omit: 'never', doc: 'One entry a destination; others are reached directly.' },
      },
    },
    TCPTransport: {
      doc: 'A proxy at an address.',
      fields: {
        url: { type: 'string', doc: 'Its address, of http or https.' },
        tlsConfig: { type: '*TLSConfig', doc: 'Certificates, for https.' },
      },
    },
    TLSConfig: {
      doc: 'Certificates for a connection.',
      fields: {
        caBundle: { type: 'string', doc: 'File of the authorities that vouch for the proxy.' },
        clientKey: { type: 'string', doc: 'File of the key of clientCert.' },
        clientCert: { type: 'string', doc: 'File of the certificate that is shown to the proxy.' },
      },
    },
    Transport: {
      doc: 'How a proxy is reached: one of the two.',
      fields: {
        tcp: { type: '*TCPTransport', doc: 'By its address.' },
        uds: { type: '*UDSTransport', doc: 'By a socket in the file system.' },
      },
    },
    UDSTransport: {
      doc: 'A proxy at a socket in the file system.',
      fields: {
        udsName: { type: 'string', doc: 'Path of the socket.' },
      },
    },
  },
}
