// http2: what both sides of an HTTP/2 connection share (RFC 9113): frames and how they are cut from incoming bytes,
// header compression (RFC 7541), and the list of open streams. It only works on bytes and numbers: a connection has its
// own state, and this room keeps no more of it than an incomplete frame or header block and the peer's dynamic table.
// Must not know of sockets, clocks or requests.

export { ClientSession, type ClientSessionHost } from './clientsession.ts'
export { type ClientStream, type ClientStreamSink, StreamError } from './clientstream.ts'
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
export { ReceiveWindow } from './receivewindow.ts'
export { StreamList } from './streamlist.ts'
