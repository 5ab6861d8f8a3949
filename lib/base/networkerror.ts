// Network errors in the words of Go's clients, for which operators and their tools search. Node and OpenSSL have other
// words, name files of their sources, and give advice about Node.

/** Errors of system calls, by their codes. */
const systemTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  ECONNABORTED: 'software caused connection abort',
  EPIPE: 'broken pipe',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  EHOSTDOWN: 'host is down',
  ENETUNREACH: 'network is unreachable',
  ENETDOWN: 'network is down',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EADDRINUSE: 'address already in use',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  ENOTSOCK: 'socket operation on non-socket',
  EINVAL: 'invalid argument',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in system',
}

const unknownAuthority = 'certificate signed by unknown authority'
const outOfTime = 'certificate has expired or is not yet valid'

/** OpenSSL's errors about the server's certificate. */
const certificateTexts: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_UNTRUSTED: unknownAuthority,
  CERT_REJECTED: unknownAuthority,
  CERT_HAS_EXPIRED: outOfTime,
  CERT_NOT_YET_VALID: outOfTime,
  INVALID_PURPOSE: 'certificate specifies an incompatible key usage',
  INVALID_CA: 'invalid certificate authority',
  PATH_LENGTH_EXCEEDED: 'too many intermediates for path length constraint',
  CERT_CHAIN_TOO_LONG: 'too many intermediates for path length constraint',
}

/** Alerts of a server, by their numbers (RFC 8446, section 6). */
const alertTexts: Readonly<Record<number, string>> = {
  0: 'close notify',
  10: 'unexpected message',
  20: 'bad record MAC',
  21: 'decryption failed',
  22: 'record overflow',
  30: 'decompression failure',
  40: 'handshake failure',
  42: 'bad certificate',
  43: 'unsupported certificate',
  44: 'revoked certificate',
  45: 'expired certificate',
  46: 'unknown certificate',
  47: 'illegal parameter',
  48: 'unknown certificate authority',
  49: 'access denied',
  50: 'error decoding message',
  51: 'error decrypting message',
  60: 'export restriction',
  70: 'protocol version not supported',
  71: 'insufficient security level',
  80: 'internal error',
  86: 'inappropriate fallback',
  90: 'user canceled',
  100: 'no renegotiation',
  109: 'missing extension',
  110: 'unsupported extension',
  112: 'unrecognized name',
  113: 'bad certificate status response',
  115: 'unknown PSK identity',
  116: 'certificate required',
  120: 'no application protocol',
}

const broken = 'net/http: HTTP/1.x transport connection broken: '

/** Answers that Node's parser of HTTP/1.x refuses. */
const parserTexts: Readonly<Record<string, string>> = {
  HPE_INVALID_STATUS: `${broken}malformed HTTP status code`,
  HPE_HEADER_OVERFLOW: `${broken}net/http: server response headers exceeded the limit; aborted`,
  HPE_INVALID_HEADER_TOKEN: `${broken}malformed MIME header`,
  HPE_INVALID_CONTENT_LENGTH: `${broken}bad Content-Length`,
  HPE_UNEXPECTED_CONTENT_LENGTH: `${broken}http: message cannot contain multiple Content-Length headers`,
  HPE_INVALID_TRANSFER_ENCODING: `${broken}unsupported transfer encoding`,
  HPE_INVALID_CHUNK_SIZE: 'invalid byte in chunk length',
  HPE_INVALID_EOF_STATE: 'unexpected EOF',
}

interface Details {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly address?: unknown
  readonly port?: unknown
  readonly hostname?: unknown
  readonly host?: unknown
  readonly reason?: unknown
  readonly cert?: { readonly subjectaltname?: unknown; readonly subject?: { readonly CN?: unknown } }
  readonly errors?: unknown
}

/** The text of an error of Node's clients; the message of any other error. */
export function networkErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const details = error as Error & Details
  // All addresses of a name failed: the first one's error counts.
  if (Array.isArray(details.errors) && details.errors.length > 0) return networkErrorText(details.errors[0])
  const { code } = details
  if (typeof code !== 'string') return error.message
  return (
    nameText(code, details) ??
    systemText(code, details) ??
    certificateText(code, details) ??
    tlsText(code, details) ??
    parserText(code) ??
    streamText(code, details) ??
    error.message
  )
}

function nameText(code: string, { hostname }: Details): string | undefined {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return `dial tcp: lookup ${String(hostname)}: no such host`
  if (code === 'EAI_AGAIN') return `dial tcp: lookup ${String(hostname)}: server misbehaving`
  return undefined
}

function systemText(code: string, { syscall, address, port, message }: Error & Details): string | undefined {
  // The connection ended within a handshake or before an answer: Node's own errors, without a system call.
  if (code === 'ECONNRESET' && syscall === undefined) return message === 'aborted' ? 'unexpected EOF' : 'EOF'
  const text = systemTexts[code]
  if (text === undefined || syscall === undefined) return undefined
  if (syscall !== 'connect') return `${String(syscall)}: ${text}`
  if (port === undefined) return `dial unix ${String(address)}: connect: ${text}`
  const host = String(address)
  return `dial tcp ${host.includes(':') ? `[${host}]` : host}:${String(port)}: connect: ${text}`
}

function certificateText(code: string, details: Error & Details): string | undefined {
  const text = code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? mismatchText(details) : certificateTexts[code]
  return text === undefined ? undefined : `tls: failed to verify certificate: x509: ${text}`
}

function mismatchText({ host, cert, message }: Error & Details): string {
  const wanted = String(host ?? '').replace(/\.$/, '')
  const names = String(cert?.subjectaltname ?? '').split(', ')
  const of = (kind: string): string[] =>
    names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length))
  if (message.includes('IP: ')) {
    const addresses = of('IP Address:')
    if (addresses.length > 0) return `certificate is valid for ${addresses.join(', ')}, not ${wanted}`
    return `cannot validate certificate for ${wanted} because it doesn't contain any IP SANs`
  }
  const hosts = of('DNS:')
  if (hosts.length > 0) return `certificate is valid for ${hosts.join(', ')}, not ${wanted}`
  if (names.join('') !== '') return `certificate is not valid for any names, but wanted to match ${wanted}`
  return 'certificate relies on legacy Common Name field, use SANs instead'
}

function tlsText(code: string, { message, reason }: Error & Details): string | undefined {
  if (!/^(ERR_SSL_|ERR_OSSL_|EPROTO$)/.test(code)) return undefined
  const alert = /SSL alert number (\d+)/.exec(message)?.[1]
  if (alert !== undefined) return `remote error: tls: ${alertTexts[Number(alert)] ?? `alert(${alert})`}`
  // Bytes that are not TLS: almost always a server that speaks plain HTTP.
  if (/WRONG_VERSION_NUMBER|HTTP_REQUEST/.test(code)) return 'http: server gave HTTP response to HTTPS client'
  if (/UNSUPPORTED_PROTOCOL/.test(code)) return 'tls: server selected unsupported protocol version'
  return `tls: ${typeof reason === 'string' ? reason : code.replace('ERR_SSL_', '').toLowerCase().replaceAll('_', ' ')}`
}

function parserText(code: string): string | undefined {
  if (!code.startsWith('HPE_')) return undefined
  return parserTexts[code] ?? `${broken}malformed HTTP response`
}

function streamText(code: string, { message }: Error & Details): string | undefined {
  const name = /NGHTTP2_(\w+)/.exec(message)?.[1]
  if (code === 'ERR_HTTP2_STREAM_ERROR' && name !== undefined) return `stream error: ${name}; received from peer`
  if (code === 'ERR_HTTP2_SESSION_ERROR') return 'http2: server sent GOAWAY and closed the connection'
  return code.startsWith('ERR_HTTP2_') ? `http2: ${message}` : undefined
}
