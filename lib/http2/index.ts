// http2: the code that both sides of an HTTP/2 connection share (RFC 9113): frames and how they are cut from the
// incoming bytes, header compression (RFC 7541), and the list of open streams. Bytes and numbers only: a connection
// brings its own state, and nothing here keeps more of it than an incomplete frame or header block and the peer's
// dynamic table. Must not know of sockets, clocks or requests.

export {
  clientPreface,
  defaultWindowBytes,
  flags,
  frameBytesMax,
  frameHeadBytes,
  frameOf,
  frames,
  goAway,
  resetFrame,
  settings,
  settingsAck,
  settingsFrame,
  unpadded,
  windowMax,
  windowUpdate,
} from './frame.ts'
export { type FrameHandler, FrameReader } from './framereader.ts'
export { HeaderDecoder, type HeaderSink } from './headerdecoder.ts'
export { encodeHeaders, headerBytesMax, writeHeaders } from './headerencoder.ts'
export { isHeaderName } from './headername.ts'
export { errorCodes, ProtocolError } from './protocolerror.ts'
export { StreamList } from './streamlist.ts'
