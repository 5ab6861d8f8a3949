// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** A way by which connections go out. */
export type Connection = {
  /** Direct, HTTPConnect or GRPC. */
  proxyProtocol?: string
  /** How the proxy is reached; none for Direct. */
  transport?: Transport
}

/** The way of connections to one destination. */
export type EgressSelection = {
  /** The destination: cluster, controlplane or etcd. */
  name: string
  /** The way. */
  connection: Connection
}

/** By which way connections go out. */
export type EgressSelectorConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** One entry a destination; others are reached directly. */
  egressSelections?: EgressSelection[]
}

/** A proxy at an address. */
export type TCPTransport = {
  /** Its address, of http or https. */
  url?: string
  /** Certificates, for https. */
  tlsConfig?: TLSConfig
}

/** Certificates for a connection. */
export type TLSConfig = {
  /** File of the authorities that vouch for the proxy. */
  caBundle?: string
  /** File of the key of clientCert. */
  clientKey?: string
  /** File of the certificate that is shown to the proxy. */
  clientCert?: string
}

/** How a proxy is reached: one of the two. */
export type Transport = {
  /** By its address. */
  tcp?: TCPTransport
  /** By a socket in the file system. */
  uds?: UDSTransport
}

/** A proxy at a socket in the file system. */
export type UDSTransport = {
  /** Path of the socket. */
  udsName?: string
}
