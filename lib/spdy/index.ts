// spdy: SPDY/3.1 over a stream of bytes, in both roles: frames, compressed header blocks, streams and their ends.
// Invariant: nothing that a peer sends makes a session hold more than its named maxima. Peers of this server grant no
// windows and expect none: what bounds a stream is the connection's own backpressure. Must not know HTTP, nor kubelets.
export { SpdySession, type SpdySessionOptions } from './session.ts'
export { SpdyStream } from './stream.ts'
