import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiserverV1beta1: GroupVersionTable = {
  group: 'apiserver.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.apiserver.pkg.apis.apiserver.v1beta1',
  types: {
    Connection: {
      doc: 'How to make connections.',
      fields: {
        proxyProtocol: { type: 'string', doc: 'Direct, HTTPConnect or GRPC.' },
        transport: { type: '*Transport', doc: 'How to connect to the proxy; none for Direct.' },
      },
    },
    EgressSelection: {
      doc: 'How to connect to one destination.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The destination: cluster, controlplane or etcd.' },
        connection: { type: 'Connection', omit: 'never', doc: 'How to connect to it.' },
      },
    },
    EgressSelectorConfiguration: {
      doc: 'How to connect to destinations.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        egressSelections: { type: '[]EgressSelection', omit: 'never', doc: 'One entry a destination; others are connected to directly.' },
      },
    },
    TCPTransport: {
      doc: 'A proxy at an address.',
      fields: {
        url: { type: 'string', doc: 'Its URL, http or https.' },
        tlsConfig: { type: '*TLSConfig', doc: 'Certificates, for https.' },
      },
    },
    TLSConfig: {
      doc: 'Certificates for a connection.',
      fields: {
        caBundle: { type: 'string', doc: 'File with the certificates to verify the proxy.' },
        clientKey: { type: 'string', doc: 'File with the key of clientCert.' },
        clientCert: { type: 'string', doc: 'File with the client certificate for the proxy.' },
      },
    },
    Transport: {
      doc: 'How to connect to a proxy: one of the two.',
      fields: {
        tcp: { type: '*TCPTransport', doc: 'By its address.' },
        uds: { type: '*UDSTransport', doc: 'By a Unix socket.' },
      },
    },
    UDSTransport: {
      doc: 'A proxy with a Unix socket.',
      fields: {
        udsName: { type: 'string', doc: 'Path of the socket.' },
      },
    },
  },
}
