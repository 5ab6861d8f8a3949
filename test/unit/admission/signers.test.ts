import assert from 'node:assert/strict'
import {
  createCertificateApproval,
  createCertificateSigning,
  createCertificateSubjectRestriction,
  createClusterTrustBundleAttest,
  type SignerQuestions,
} from '../../../lib/admission/index.ts'
import { readSigningRequest } from '../../../lib/pki/index.ts'
import { admit, make } from '../../support/admissionkit.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'

const on = 'certificatesigningrequests.certificates.k8s.io'
const signer = 'example.com/serving'
const request = (status: object = {}, signerName = signer) => ({
  ...make('CertificateSigningRequest', { signerName }),
  status,
})

/** Allows `verb` for exactly one signer. */
const allowing = (verb: string, allowed: string): SignerQuestions => ({
  isAllowed: async (_attributes, asked, of) => asked === verb && of === allowed,
})
const approved = { conditions: [{ type: 'Approved', status: 'True' }] }
const issued = { certificate: 'LS0t' }

describe('signers', () => {
  for (const [title, create, subresource, verb, status, words] of [
    ['CertificateApproval', createCertificateApproval, 'approval', 'approve', approved, 'approve'],
    ['CertificateSigning', createCertificateSigning, 'status', 'sign', issued, 'sign'],
  ] as const)
    describe(title, () => {
      const write = (questions: SignerQuestions, next: object = status, part: string = subresource) =>
        admit(create(questions), on, request(next), { operation: 'UPDATE', subresource: part, oldObject: request() })
      for (const allowed of [signer, 'example.com/*'])
        it(`admits a user who may ${verb} for ${allowed}`, async () => {
          await write(allowing(verb, allowed))
        })
      for (const [who, questions] of [
        ['may not', allowing(verb, 'nobody')],
        ['may for another signer', allowing(verb, 'example.com/other')],
        ['may do something else', allowing('attest', signer)],
      ] as const)
        it(`refuses a user who ${who}`, () =>
          assert.rejects(write(questions), {
            code: 403,
            message: `certificatesigningrequests.certificates.k8s.io "x" is forbidden: user not permitted to ${words} requests with signerName "${signer}"`,
          }))
      it('checks the signer of the old request', () =>
        assert.rejects(
          admit(create(allowing(verb, 'mine.com/all')), on, request(status, 'mine.com/all'), {
            operation: 'UPDATE',
            subresource,
            oldObject: request(),
          }),
          { code: 403 },
        ))
      it('checks no other subresource of a request', async () => {
        await write(allowing(verb, 'nobody'), status, '')
      })
    })

  it('a status that changes neither certificate nor conditions passes CertificateSigning', async () => {
    const plugin = createCertificateSigning(allowing('sign', 'nobody'))
    await admit(plugin, on, request(approved), {
      operation: 'UPDATE',
      subresource: 'status',
      oldObject: request(approved),
    })
  })

  describe('ClusterTrustBundleAttest', () => {
    const bundles = 'clustertrustbundles.certificates.k8s.io'
    const bundle = (signerName: string | undefined, metadata: object = {}, trustBundle = 'a') =>
      make('ClusterTrustBundle', { trustBundle, ...(signerName !== undefined && { signerName }) }, metadata)
    const nobody = createClusterTrustBundleAttest(allowing('attest', 'nobody'))
    it('admits a user who may attest for the signer', async () => {
      await admit(createClusterTrustBundleAttest(allowing('attest', 'example.com/*')), bundles, bundle(signer))
    })
    it('admits everybody’s bundles without a signer', async () => {
      await admit(nobody, bundles, bundle(undefined))
    })
    it('refuses others', () =>
      assert.rejects(admit(nobody, bundles, bundle(signer)), {
        code: 403,
        message: `clustertrustbundles.certificates.k8s.io "x" is forbidden: user not permitted to attest for signerName "${signer}"`,
      }))
    it('admits changes of owners and finalizers, and no others', async () => {
      const update = (object: ReturnType<typeof bundle>) =>
        admit(nobody, bundles, object, { operation: 'UPDATE', oldObject: bundle(signer) })
      await update(bundle(signer, { finalizers: ['a/b'], ownerReferences: [{ name: 'o' }] }))
      await assert.rejects(update(bundle(signer, { labels: { a: 'b' } })), { code: 403 })
      await assert.rejects(update(bundle(signer, {}, 'b')), { code: 403 })
    })
  })

  describe('CertificateSubjectRestriction', () => {
    const plugin = createCertificateSubjectRestriction({
      organizationsOf: (text) => readSigningRequest(Buffer.from(text, 'base64').toString('latin1')).organizations,
    })
    const client = 'kubernetes.io/kube-apiserver-client'
    const ask = (organizations: readonly string[], signerName = client) => {
      const request = Buffer.from(createSigningRequest('eve', organizations).request).toString('base64')
      return admit(plugin, on, make('CertificateSigningRequest', { signerName, request }))
    }
    const why = `use of ${client} signer with system:masters group is not allowed`
    const message = `certificatesigningrequests.certificates.k8s.io "x" is forbidden: ${why}`
    it('refuses a client certificate of system:masters', () =>
      assert.rejects(ask(['system:masters']), { code: 403, message }))
    it('finds the group among others', () => assert.rejects(ask(['a', 'system:masters', 'b']), { code: 403, message }))
    it('admits other groups', async () => {
      await ask(['system:master'])
    })
    it('does not check other signers', async () => {
      await ask(['system:masters'], 'example.com/x')
    })
    it('refuses unreadable requests', () =>
      assert.rejects(
        admit(plugin, on, make('CertificateSigningRequest', { signerName: client, request: 'AAAA' })),
        /is forbidden: failed to parse CSR: PEM block type must be CERTIFICATE REQUEST/,
      ))
  })
})
