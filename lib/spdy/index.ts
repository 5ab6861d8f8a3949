// spdy: SPDY/3.1 over a stream of bytes, in both roles: frames, compressed header blocks, streams and their ends.
// Invariant: a session never holds more than its named maxima, whatever a peer sends. Peers of this server grant no
// windows and expect none: the connection's own backpressure limits a stream. Must not know HTTP, nor kubelets.
export { SpdySession, type SpdySessionOptions } from './session.ts'
export { SpdyStream } from './stream.ts'
