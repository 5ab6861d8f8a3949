import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../../lib/base/index.ts'
import {
  type ClusterAuthentication,
  createClusterAuthentication,
  mergeClusterAuthentication,
} from '../../../../lib/controlplane/hooks/clusterauthentication.ts'
import { createAuthority } from '../../../../lib/pki/index.ts'
import type { CertificateProvider, TlsMaterial } from '../../../../lib/server/index.ts'
import { createEndpointKit, type EndpointKit } from '../../../support/endpointkit.ts'
import { eventually, eventuallyEquals } from '../../../support/eventually.ts'

const url = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
const nowMs = Date.parse('2025-05-01T00:00:00Z')
const random = createSeededRandom(1)
const headers = {
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
}

/** PEM of an authority that was made `daysAgo`; it lasts for ten years. */
function authority(commonName: string, daysAgo = 0): string {
  return createAuthority({ clock: createFakeClock(nowMs - daysAgo * 86_400_000), random }, { commonName }).certificate
}

const clients = authority('clients')
const others = authority('others')
const proxies = authority('proxies')
const gone = authority('gone', 5000)

describe('what replicas publish about their clients', () => {
  const own: ClusterAuthentication = { clientAuthorities: clients, proxyAuthorities: proxies, requestHeader: headers }
  const merge = (published: Record<string, string>, more: Partial<ClusterAuthentication> = {}) =>
    mergeClusterAuthentication(published, { ...own, ...more }, nowMs)

  it('is authorities and headers, under the stock keys', () => {
    assert.deepEqual(merge({}), {
      'client-ca-file': clients,
      'requestheader-client-ca-file': proxies,
      'requestheader-allowed-names': '["front-proxy-client"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    })
  })

  it('has no headers without an authority of front proxies, and is empty where no authority is trusted', () => {
    const none = { proxyAuthorities: '', requestHeader: undefined }
    assert.deepEqual(merge({}, none), { 'client-ca-file': clients })
    assert.deepEqual(merge({}, { ...none, clientAuthorities: '' }), {})
  })

  it('keeps what other replicas have published, once, and drops expired authorities', () => {
    const published = {
      ...merge({}, { clientAuthorities: `${gone}${others}${clients}` }),
      'requestheader-allowed-names': '["another"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
    }
    const merged = merge(published)
    assert.equal(merged['client-ca-file'], `${others}${clients}`)
    assert.equal(merged['requestheader-allowed-names'], '["another","front-proxy-client"]')
    assert.equal(merged['requestheader-uid-headers'], '["X-Remote-Uid"]')
    assert.equal(merged['requestheader-username-headers'], '["X-Remote-User"]')
    assert.deepEqual(merge(merged), merged)
  })

  it('replaces unreadable values', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    assert.deepEqual(merge({ 'client-ca-file': broken, 'requestheader-allowed-names': '[' }), merge({}))
  })
})

describe('the ConfigMap of what replicas publish about their clients', () => {
  let kit: EndpointKit
  let clock: FakeClock
  let material: TlsMaterial
  let changed: ((material: TlsMaterial) => void) | undefined
  const certificates: CertificateProvider = {
    current: () => material,
    onChange(listener) {
      changed = listener
      return { close: () => (changed = undefined) }
    },
  }
  let running: ReturnType<typeof createClusterAuthentication>

  beforeEach(async () => {
    kit = await createEndpointKit()
    clock = createFakeClock(nowMs)
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } })
    material = { serving: { cert: '', key: '' }, named: [], clientAuthorities: clients }
    running = createClusterAuthentication(
      { clock, random: createSeededRandom(1), log: silentLogger, registry: kit.registry, certificates },
      undefined,
    )
    await running.run()
  })
  afterEach(async () => {
    await running.close()
    assert.equal(changed, undefined)
    await kit.close()
  })

  async function published(): Promise<unknown> {
    return (await kit.request('GET', url)).json['data']
  }

  it('exists at the start', async () => {
    assert.deepEqual(await published(), { 'client-ca-file': clients })
  })

  it('publishes new authorities at once, beside the old ones', async () => {
    material = { ...material, clientAuthorities: others }
    changed?.(material)
    const both = JSON.stringify({ 'client-ca-file': `${clients}${others}` })
    await eventuallyEquals(async () => JSON.stringify(await published()), both, 'the new authority')
  })

  it('is restored after a while when it was deleted or emptied', async () => {
    await kit.request('DELETE', url)
    clock.advance(60_000)
    await eventually(async () => (await published()) !== undefined, 'the ConfigMap')
    const { json } = await kit.request('GET', url)
    await kit.request('PUT', url, { body: { ...json, data: {} } })
    clock.advance(60_000)
    await eventually(async () => (await published()) !== undefined, 'its data')
    assert.deepEqual(await published(), { 'client-ca-file': clients })
  })
})
