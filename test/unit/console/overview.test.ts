import assert from 'node:assert/strict'
import fc from 'fast-check'
import { certificateEndMs, tokenEndMs } from '../../../console/state/endings.ts'
import { labelledSamples, largest } from '../../../console/state/observed.ts'
import { storeServers, storeSizes } from '../../../console/state/stores.ts'
import { makeAnyCertificate } from '../../support/certificates.ts'

describe('what the overview of the console reads', () => {
  it('the end of a certificate, in both forms of a time', () => {
    for (const endMs of [Date.UTC(2030, 0, 2, 3, 4, 5), Date.UTC(2062, 5, 7)]) {
      const { pem } = makeAnyCertificate({ subject: ['CN=site'], endMs })
      assert.equal(certificateEndMs(`# a comment\n${pem}`), endMs)
    }
  })

  it('no end in what is no certificate, however it is cut or changed', () => {
    const { raw } = makeAnyCertificate({ subject: ['CN=site'] })
    const pemOf = (bytes: Uint8Array): string =>
      `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE-----`
    assert.equal(certificateEndMs(''), undefined)
    for (let length = 0; length < 60; length++)
      assert.equal(certificateEndMs(pemOf(raw.subarray(0, length))), undefined)
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(255), (at, byte) => {
        const changed = Uint8Array.from(raw)
        changed[at] = byte
        const end = certificateEndMs(pemOf(changed))
        assert.ok(end === undefined || Number.isInteger(end))
      }),
    )
  })

  it('the end of a token, if it names one', () => {
    const token = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`
    assert.equal(tokenEndMs(token({ exp: 1000, name: 'jürgen ÿÿÿ' })), 1_000_000)
    assert.deepEqual(
      [token({}), token({ exp: 'x' }), token(null), 'opaque', ''].map(tokenEndMs),
      Array(5).fill(undefined),
    )
  })

  it('samples of some names, with their labels', () => {
    const lines = ['# HELP a', 'a{b="1",c="x\\"y"} 3', 'a 2', 'ab{b="2"} 9', '']
    const samples = labelledSamples(lines.join('\n'), new Set(['a']))
    assert.deepEqual(samples, [
      { name: 'a', labels: { b: '1', c: 'x\\"y' }, value: 3 },
      { name: 'a', labels: {}, value: 2 },
    ])
    assert.deepEqual([largest(samples, 'a'), largest(samples, 'b')], [3, undefined])
  })

  it('stores with their compaction, and their servers, one of which never answered', () => {
    const samples = labelledSamples(`
apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 4096
apiserver_storage_size_bytes{storage_cluster_id="memory-1"} 0
pilothouse_store_compacted_revision{storage_cluster_id="etcd-0"} 12
pilothouse_store_member_up{storage_cluster_id="etcd-0",endpoint="https://a:2379"} 1
pilothouse_store_member_up{storage_cluster_id="etcd-0",endpoint="https://b:2379"} 0
pilothouse_store_member_is_leader{storage_cluster_id="etcd-0",endpoint="https://a:2379"} 1
pilothouse_store_member_is_leader{storage_cluster_id="etcd-0",endpoint="https://b:2379"} 0
pilothouse_store_member_size_bytes{storage_cluster_id="etcd-0",endpoint="https://a:2379"} 4096
`)
    assert.deepEqual(storeSizes(samples), [{ store: 'etcd-0', bytes: 4096, compactedRevision: 12 }])
    assert.deepEqual(storeServers(samples), [
      { store: 'etcd-0', endpoint: 'https://a:2379', isUp: true, isLeader: true, bytes: 4096 },
      { store: 'etcd-0', endpoint: 'https://b:2379', isUp: false, isLeader: false, bytes: undefined },
    ])
  })
})
