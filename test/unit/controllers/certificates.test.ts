import assert from 'node:assert/strict'
import { validity } from '../../../lib/controllers/csrsigning/plan.ts'
import {
  apiserverClientSigner,
  type CertificateView,
  kubeletClientSigner,
  kubeletServingSigner,
  legacyUnknownSigner,
  signerRules,
} from '../../../lib/kinds/index.ts'

const node: CertificateView = {
  commonName: 'system:node:a',
  organizations: ['system:nodes'],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
}
const serving = { ...node, dnsNames: ['a'] }
const client = ['digital signature', 'client auth']
const server = ['digital signature', 'server auth']
const encipherment = 'key encipherment'

describe('the rules of the signers', () => {
  const cases: [
    title: string,
    signer: string,
    asked: CertificateView,
    usages: string[],
    violation: string | undefined,
  ][] = [
    [
      'a client of the API server may have any subject',
      apiserverClientSigner,
      { ...node, organizations: ['a', 'b'] },
      client,
      undefined,
    ],
    [
      'a client needs the usage',
      apiserverClientSigner,
      node,
      ['digital signature'],
      'missing required usage for client certificate: client auth',
    ],
    [
      'a client is no server',
      apiserverClientSigner,
      node,
      [...client, 'server auth'],
      'invalid usage for client certificate: server auth',
    ],
    ['a node is a client', kubeletClientSigner, node, client, undefined],
    ['a node may encipher keys', kubeletClientSigner, node, [...client, encipherment], undefined],
    [
      'a node may not ask for more',
      kubeletClientSigner,
      node,
      [...client, encipherment, 'server auth'],
      'usages did not match',
    ],
    [
      'a usage that is doubled is not another one',
      kubeletClientSigner,
      node,
      ['client auth', 'client auth'],
      'usages did not match',
    ],
    [
      'a node is in its group',
      kubeletClientSigner,
      { ...node, organizations: [] },
      client,
      'subject organization is not system:nodes',
    ],
    [
      'a node is in no other group',
      kubeletClientSigner,
      { ...node, organizations: ['system:nodes', 'system:masters'] },
      client,
      'subject organization',
    ],
    ['a node has its name', kubeletClientSigner, { ...node, commonName: 'admin' }, client, 'subject common name'],
    ['a node as a client has no DNS names', kubeletClientSigner, serving, client, 'DNS'],
    ['a node as a client has no addresses', kubeletClientSigner, { ...node, ipAddresses: ['10.0.0.1'] }, client, 'IP'],
    [
      'a node as a client has no mail',
      kubeletClientSigner,
      { ...node, emailAddresses: ['a@example.com'] },
      client,
      'Email',
    ],
    ['a node as a client has no URI', kubeletClientSigner, { ...node, uris: ['spiffe://a'] }, client, 'URI'],
    ['a node serves', kubeletServingSigner, serving, [...server, encipherment], undefined],
    ['a node serves at an address', kubeletServingSigner, { ...node, ipAddresses: ['10.0.0.1'] }, server, undefined],
    ['a node serves somewhere', kubeletServingSigner, node, server, 'DNS or IP subjectAltName is required'],
    ['a node that serves is no client', kubeletServingSigner, serving, client, 'usages did not match'],
    ['a node that serves has no URI', kubeletServingSigner, { ...serving, uris: ['spiffe://a'] }, server, 'URI'],
    ['the legacy signer takes anything', legacyUnknownSigner, { ...node, organizations: [] }, ['any'], undefined],
  ]
  for (const [title, signer, asked, usages, violation] of cases)
    it(title, () => {
      const found = signerRules[signer]?.(asked, usages)
      if (violation === undefined) assert.equal(found, undefined)
      else assert.ok(found?.includes(violation), found ?? 'none')
    })
})

describe('the times of a signed certificate', () => {
  const hour = 3600_000
  const nowMs = 1e12
  const year = 365 * 24 * hour
  const times = (seconds: number | undefined, authorityEndMs = nowMs + 10 * year): number[] => {
    const { notBeforeMs, notAfterMs } = validity(seconds, year, { nowMs, authorityEndMs })
    return [notBeforeMs - nowMs, notAfterMs - nowMs]
  }
  it('begin five minutes ago and end with the duration counted from there', () => {
    assert.deepEqual(times(undefined), [-300_000, year - 300_000])
  })
  it('the times of a short certificate end with the duration from now on', () => {
    assert.deepEqual(times(3600), [-300_000, hour])
  })
  it('are no longer than the signer allows, and no shorter than ten minutes', () => {
    assert.deepEqual(times(10 * 365 * 24 * 3600), [-300_000, year - 300_000])
    assert.deepEqual(times(1), [-300_000, 600_000])
  })
  it('end with the authority, and an authority that has ended signs nothing', () => {
    assert.deepEqual(times(undefined, nowMs + hour), [-300_000, hour])
    assert.throws(() => times(undefined, nowMs), /expired/)
  })
})
