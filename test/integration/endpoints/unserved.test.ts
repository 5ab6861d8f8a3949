import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

describe('endpoints: resources that the server knows and does not serve', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
  })
  after(() => kit.close())

  const cases: [string, string, string[]][] = [
    [
      'behind a gate and a flag',
      '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests',
      [
        'this server does not serve podcertificaterequests of certificates.k8s.io/v1beta1 without --feature-gates=PodCertificateRequest=true and --runtime-config=certificates.k8s.io/v1beta1/podcertificaterequests=true',
      ],
    ],
    [
      'behind a flag',
      '/apis/certificates.k8s.io/v1beta1/clustertrustbundles',
      [
        'this server does not serve clustertrustbundles of certificates.k8s.io/v1beta1 without --runtime-config=certificates.k8s.io/v1beta1/clustertrustbundles=true',
      ],
    ],
    ['of a version that there never was', '/apis/apps/v7/deployments', []],
    ['of no kind', '/api/v1/flashlights', []],
    ['of the core group under another prefix', '/apis//v1/pods', []],
  ]
  for (const [title, path, warnings] of cases)
    it(`a resource ${title} is not found, ${warnings.length > 0 ? 'with a warning that names what it needs' : 'without a warning'}`, async () => {
      const answer = await kit.request('GET', path)
      assert.equal(answer.status, 404)
      assert.deepEqual([...answer.warnings], warnings)
    })

  it('the answer is that of any unknown resource', async () => {
    const [path = ''] = cases.map(([, each]) => each)
    const [known, unknown] = [await kit.request('GET', path), await kit.request('GET', '/api/v1/flashlights')]
    assert.deepEqual(known.json, unknown.json)
  })
})
