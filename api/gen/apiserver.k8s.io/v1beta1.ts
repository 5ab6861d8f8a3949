// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** How to make connections. */
export type Connection = {
  /** Direct, HTTPConnect or GRPC. */
  proxyProtocol?: string
  /** How to connect to the proxy; none for Direct. */
  transport?: Transport
}

/** How to connect to one destination. */
export type EgressSelection = {
  /** The destination: cluster, controlplane or etcd. */
  name: string
  /** How to connect to it. */
  connection: Connection
}

/** How to connect to destinations. */
export type EgressSelectorConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** One entry a destination; others are connected to directly. */
  egressSelections?: EgressSelection[]
}

/** A proxy at an address. */
export type TCPTransport = {
  /** Its URL, http or https. */
  url?: string
  /** Certificates, for https. */
  tlsConfig?: TLSConfig
}

/** Certificates for a connection. */
export type TLSConfig = {
  /** File with the certificates to verify the proxy. */
  caBundle?: string
  /** File with the key of clientCert. */
  clientKey?: string
  /** File with the client certificate for the proxy. */
  clientCert?: string
}

/** How to connect to a proxy: one of the two. */
export type Transport = {
  /** By its address. */
  tcp?: TCPTransport
  /** By a Unix socket. */
  uds?: UDSTransport
}

/** A proxy with a Unix socket. */
export type UDSTransport = {
  /** Path of the socket. */
  udsName?: string
}
