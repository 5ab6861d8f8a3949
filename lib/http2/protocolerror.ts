/** Why a stream or a connection ends (RFC 9113, section 7). */
export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  connectError: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const

/** A fault of the peer that ends the whole connection (RFC 9113, section 5.4.1). */
export class ProtocolError extends RangeError {
  /** One of `errorCodes`, sent to the peer before the end. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}
