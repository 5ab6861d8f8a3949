import assert from 'node:assert/strict'
import { networkErrorText } from '../../../lib/base/index.ts'

const error = (message: string, details: object): Error => Object.assign(new Error(message), details)
const connecting = { syscall: 'connect', address: '10.0.0.1', port: 443 }

/** Errors that no test can bring about everywhere; the others come of real servers. */
const cases: readonly (readonly [unknown, string])[] = [
  [error('x', { code: 'ECONNREFUSED', ...connecting }), 'dial tcp 10.0.0.1:443: connect: connection refused'],
  [
    error('x', { code: 'ECONNREFUSED', ...connecting, address: '::1' }),
    'dial tcp [::1]:443: connect: connection refused',
  ],
  [error('x', { code: 'ETIMEDOUT', ...connecting }), 'dial tcp 10.0.0.1:443: connect: connection timed out'],
  [error('x', { code: 'EHOSTUNREACH', ...connecting }), 'dial tcp 10.0.0.1:443: connect: no route to host'],
  [error('x', { code: 'ENETUNREACH', ...connecting }), 'dial tcp 10.0.0.1:443: connect: network is unreachable'],
  [
    error('x', { code: 'ENOENT', syscall: 'connect', address: '/run/kms.sock' }),
    'dial unix /run/kms.sock: connect: no such file or directory',
  ],
  [
    Object.assign(new AggregateError([error('x', { code: 'ECONNREFUSED', ...connecting, address: '::1' })]), {
      code: 'ECONNREFUSED',
    }),
    'dial tcp [::1]:443: connect: connection refused',
  ],
  [
    error('x', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'a.example' }),
    'dial tcp: lookup a.example: no such host',
  ],
  [
    error('x', { code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: 'a.example' }),
    'dial tcp: lookup a.example: server misbehaving',
  ],
  [error('x', { code: 'ECONNRESET', syscall: 'read' }), 'read: connection reset by peer'],
  [error('x', { code: 'EPIPE', syscall: 'write' }), 'write: broken pipe'],
  [error('socket hang up', { code: 'ECONNRESET' }), 'EOF'],
  [error('aborted', { code: 'ECONNRESET' }), 'unexpected EOF'],
  [
    error('certificate has expired', { code: 'CERT_HAS_EXPIRED' }),
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ],
  [
    error('x', { code: 'ERR_TLS_CERT_ALTNAME_INVALID', host: 'a.example', cert: { subject: { CN: 'a.example' } } }),
    'tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead',
  ],
  [
    error('0:error:SSL routines::no ciphers available:x.c:1:', { code: 'ERR_SSL_NO_CIPHERS', reason: 'no ciphers' }),
    'tls: no ciphers',
  ],
  [new Error('anything else'), 'anything else'],
  ['a text', 'a text'],
]

describe('errors of the network', () => {
  for (const [given, expected] of cases)
    it(`are worded as Go's clients word them: ${expected}`, () => {
      assert.equal(networkErrorText(given), expected)
    })
})
