import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import type { CertificateSigningRequest } from '../../../api/gen/certificates.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { systemRandom } from '../../../lib/base/index.ts'
import { readSigningRequest, signRequest } from '../../../lib/pki/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { createSigningRequest, signers } from '../../support/signingrequest.ts'

const { certificatesigningrequests } = resources.certificates.v1
const clientUsages = ['digital signature', 'key encipherment', 'client auth']
const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet'

describe('certificate signing requests', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['certificatesigningrequest-approving-controller', 'certificatesigningrequest-signing-controller'],
    })
  })
  after(async () => {
    await plane.stop()
  })

  const ask = async (
    name: string,
    request: string,
    spec: Partial<CertificateSigningRequest['spec']>,
  ): Promise<void> => {
    await plane.client.resource(certificatesigningrequests).create({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        request: Buffer.from(request).toString('base64') as never,
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: clientUsages,
        ...spec,
      },
      status: {},
    } as CertificateSigningRequest)
  }
  const read = async (name: string) => await plane.client.resource(certificatesigningrequests).get({ name })
  const approve = async (name: string): Promise<void> => {
    const request = await read(name)
    const conditions = [{ type: 'Approved', status: 'True', reason: 'ByTest', message: '' }]
    await plane.client
      .resource(certificatesigningrequests)
      .subresource<CertificateSigningRequest>('approval')
      .update({ name }, { ...request, status: { conditions } })
  }
  const certificateOf = async (name: string): Promise<X509Certificate> => {
    await eventually(async () => ((await read(name)).status?.certificate ?? '') !== '', `the certificate of ${name}`)
    return new X509Certificate(Buffer.from(String((await read(name)).status?.certificate), 'base64'))
  }

  it('an authorized node’s request is approved and signed, and the API server accepts the certificate', async () => {
    const { request, key } = createSigningRequest('system:node:a', ['system:nodes'])
    await ask('node', request, { signerName: kubeletClient })
    const certificate = await certificateOf('node')
    assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:a')
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'])
    assert.equal(certificate.ca, false)
    const [approval] = (await read('node')).status?.conditions ?? []
    assert.equal(approval?.reason, 'AutoApproved')
    assert.equal(approval?.message, 'Auto approving kubelet client certificate after SubjectAccessReview.')
    const authority = new X509Certificate(certificateAuthorityOf(plane.kubeconfig))
    assert.ok(certificate.verify(authority.publicKey) && certificate.checkIssued(authority))
    const { userInfo } = await whoAmI(plane, { cert: certificate.toString(), key })
    assert.equal(userInfo.username, 'system:node:a')
    assert.deepEqual(userInfo.groups, ['system:nodes', 'system:authenticated'])
  })

  it('an unauthorized request with the signer of nodes is neither approved nor signed', async () => {
    const { request } = createSigningRequest('admin', ['system:masters'])
    await ask('masters', request, { signerName: kubeletClient })
    await ask('later', createSigningRequest('system:node:b', ['system:nodes']).request, { signerName: kubeletClient })
    await certificateOf('later')
    assert.deepEqual((await read('masters')).status?.conditions ?? [], [])
    assert.equal((await read('masters')).status?.certificate, undefined)
  })

  it('an approved request that breaks the rules of its signer fails for good', async () => {
    const { request } = createSigningRequest('a')
    await ask('bad-usage', request, { usages: ['server auth'] })
    await approve('bad-usage')
    await eventuallyEquals(async () => (await read('bad-usage')).status?.conditions?.length, 2, 'the failure')
    const failure = (await read('bad-usage')).status?.conditions?.find(({ type }) => type === 'Failed')
    assert.equal(failure?.reason, 'SignerValidationFailure')
    assert.equal(failure?.message, 'invalid usage for client certificate: server auth')
    assert.equal((await read('bad-usage')).status?.certificate, undefined)
  })

  it('the requested lifetimes, and whether they are granted, are counted by signer', async () => {
    const { request, key } = createSigningRequest('reader', ['system:monitoring'])
    const own = 'kubernetes.io/kube-apiserver-client'
    const counts = async (): Promise<Record<string, string>> => {
      const pair = { cert: (await certificateOf('counted-no-lifetime')).toString(), key }
      const page = await text(await send(plane, pair, 'GET', '/metrics'))
      const lines = page.matchAll(
        /^apiserver_certificates_registry_csr_(\w+)_duration_total\{signerName="(.*)"\} (\d+)$/gm,
      )
      return Object.fromEntries(Array.from(lines, ([, what, signer, count]) => [`${what} ${signer}`, count ?? '']))
    }
    // Signers that the test itself is.
    const issue = async (name: string, certificate: X509Certificate): Promise<void> => {
      const asked = await read(name)
      const pem = Buffer.from(certificate.toString()).toString('base64') as never
      await plane.client
        .resource(certificatesigningrequests)
        .subresource<CertificateSigningRequest>('status')
        .update({ name }, { ...asked, status: { ...asked.status, certificate: pem } })
    }
    await ask('counted-no-lifetime', request, { signerName: own })
    await approve('counted-no-lifetime')
    assert.deepEqual(await counts(), {})
    await ask('counted-hour', request, { signerName: own, expirationSeconds: 3600 })
    await approve('counted-hour')
    const hour = await certificateOf('counted-hour')
    for (const [name, expirationSeconds] of [
      ['counted-given', 3600],
      ['counted-not-given', 7200],
    ] as const) {
      await ask(name, request, { signerName: 'example.com/one', expirationSeconds })
      await approve(name)
      await issue(name, hour)
      // What is there already is no other certificate.
      await issue(name, hour)
    }
    assert.deepEqual(await counts(), {
      [`requested ${own}`]: '1',
      [`honored ${own}`]: '1',
      'requested other': '2',
      'honored other': '1',
    })
  })

  for (const [name, signer] of Object.entries(signers)) {
    if (name === 'rsaPss') continue
    it(`a key of another kind is certified: ${name}`, async () => {
      const { request } = createSigningRequest('someone', ['a', 'b'], signer())
      await ask(name.toLowerCase(), request, { expirationSeconds: 3600 })
      await approve(name.toLowerCase())
      const certificate = await certificateOf(name.toLowerCase())
      assert.match(certificate.subject, /CN=someone$/)
      const minutes = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 60_000
      assert.equal(minutes, 65)
    })
  }
})

interface Pair {
  readonly cert: string
  readonly key: string
}

async function whoAmI(plane: ControlPlane, pair: Pair): Promise<{ userInfo: { username: string; groups: string[] } }> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const { status } = (await json(await send(plane, pair, 'POST', path, JSON.stringify(review)))) as {
    status: { userInfo: { username: string; groups: string[] } }
  }
  return status
}

async function send(
  plane: ControlPlane,
  pair: Pair,
  method: string,
  path: string,
  body = '',
): Promise<IncomingMessage> {
  const ask = https.request(new URL(path, plane.url), {
    ...pair,
    ca: certificateAuthorityOf(plane.kubeconfig),
    method,
    agent: false,
    headers: { 'content-type': 'application/json' },
  })
  ask.end(body)
  const [answer] = (await once(ask, 'response')) as [IncomingMessage]
  return answer
}

function certificateAuthorityOf(kubeconfig: string): Buffer {
  return Buffer.from(/certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? '', 'base64')
}

describe('signing', () => {
  let folder: string
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8')
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-signing-'))
    writeFileSync(
      join(folder, 'ca.cnf'),
      '[req]\ndistinguished_name=n\nstring_mask=pkix\n[n]\n[v3]\nbasicConstraints=critical,CA:true\nkeyUsage=keyCertSign\nsubjectKeyIdentifier=hash\n',
    )
  })
  after(() => rmSync(folder, { recursive: true }))
  const terms = { usages: clientUsages, notBeforeMs: Date.now() - 1000, notAfterMs: Date.now() + 3600_000 }

  for (const [name, kind] of [
    ['RSA', ['rsa:2048']],
    ['P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    ['Ed25519', ['ed25519']],
  ] as const) {
    it(`OpenSSL accepts the chain of another authority with a key ${name}, its name byte by byte`, () => {
      openssl(
        'req',
        '-x509',
        '-nodes',
        '-newkey',
        ...kind,
        '-keyout',
        'ca.key',
        '-out',
        'ca.crt',
        '-subj',
        '/O=Umlaut/CN=plain',
        '-config',
        'ca.cnf',
        '-extensions',
        'v3',
      )
      openssl(
        'req',
        '-new',
        '-nodes',
        '-newkey',
        'rsa:2048',
        '-keyout',
        'leaf.key',
        '-out',
        'leaf.csr',
        '-subj',
        '/O=system:nodes/CN=system:node:a',
        '-addext',
        'subjectAltName=DNS:a.example,IP:10.0.0.1,email:a@example.com,URI:spiffe://a/b',
        '-addext',
        'basicConstraints=CA:true',
      )
      const asked = readSigningRequest(file('leaf.csr'))
      assert.deepEqual(
        [asked.commonName, asked.organizations, asked.dnsNames, asked.ipAddresses, asked.emailAddresses, asked.uris],
        ['system:node:a', ['system:nodes'], ['a.example'], ['10.0.0.1'], ['a@example.com'], ['spiffe://a/b']],
      )
      const pem = signRequest(systemRandom, asked, { certificate: file('ca.crt'), key: file('ca.key') }, terms)
      writeFileSync(join(folder, 'leaf.crt'), pem)
      openssl('verify', '-x509_strict', '-CAfile', 'ca.crt', '-purpose', 'sslclient', 'leaf.crt')
      const certificate = new X509Certificate(pem)
      assert.equal(certificate.ca, false, 'other extensions of the request are dropped')
      assert.match(certificate.subjectAltName ?? '', /DNS:a.example, email:a@example.com, IP Address:10.0.0.1/)
    })
  }

  it('a request whose signature is not of its key is refused', () => {
    openssl(
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      'ed25519',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-subj',
      '/CN=x',
      '-config',
      'ca.cnf',
      '-extensions',
      'v3',
    )
    const own = Buffer.from(createSigningRequest('aaaaaaaa').request.replace(/-----[A-Z ]+-----/g, ''), 'base64')
    const forged = Buffer.from(own)
    forged.write('cccccccc', own.indexOf('aaaaaaaa'), 'latin1')
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${forged.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
    const asked = readSigningRequest(pem)
    assert.equal(asked.commonName, 'cccccccc')
    const authority = { certificate: file('ca.crt'), key: file('ca.key') }
    assert.throws(() => signRequest(systemRandom, asked, authority, terms), /signature/)
  })

  it('a usage that no certificate has is refused', () => {
    const asked = readSigningRequest(createSigningRequest('a').request)
    const bad = { ...terms, usages: ['toString'] }
    const authority = { certificate: file('ca.crt'), key: file('ca.key') }
    assert.throws(() => signRequest(systemRandom, asked, authority, bad), /unrecognized usage/)
  })
})
