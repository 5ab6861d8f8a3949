import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createFakeClock, type FakeClock, silentLogger, systemClock, systemRandom } from '../../../../lib/base/index.ts'
import { createMetrics, type MetricsRegistry } from '../../../../lib/observe/index.ts'
import { type KmsProvider, openKmsProvider } from '../../../../lib/storage/encryption/kms/provider.ts'
import { eventually } from '../../../support/eventually.ts'
import { kmsTypes, startKeyService, type TestKeyService } from '../../../support/keyservice.ts'

const key = '/registry/secrets/default/s1'
const plain = Buffer.from('the value that is kept secret')

/** HKDF-Expand of a seed, by extraction's definition: with the seed as pseudorandom key there is one block. */
function expand(seed: Uint8Array, info: Uint8Array): Buffer {
  return createHmac('sha256', seed)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
}

function gcm(secret: Uint8Array, value: Uint8Array, context = key): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
}

/** As the stock server stores a value. */
function stock(
  secret: Uint8Array,
  of: { ciphertext: Uint8Array; keyId: string; annotations?: Record<string, Uint8Array>; type?: number },
  data?: Uint8Array,
): Buffer {
  const info = randomBytes(32)
  const type = of.type ?? 1
  const encryptedData =
    data ?? (type === 1 ? Buffer.concat([info, gcm(expand(secret, info), plain)]) : gcm(secret, plain))
  const fields = {
    encryptedData,
    keyID: of.keyId,
    encryptedDEKSource: of.ciphertext,
    annotations: of.annotations ?? {},
    encryptedDEKSourceType: type,
  }
  return Buffer.from(kmsTypes['EncryptedObject']?.encode(fields).finish() ?? [])
}

describe('storage: a key service (KMS v2)', function () {
  this.timeout(60_000)
  let service: TestKeyService
  let clock: FakeClock
  let metrics: MetricsRegistry
  let provider: KmsProvider
  const logged: string[] = []

  async function open(timeoutMs = 30_000): Promise<KmsProvider> {
    const log = {
      ...silentLogger,
      info: (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`),
      warn: (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    }
    // Time on the wire is the machine's.
    const { after, sleep, soon } = systemClock
    const shared = Object.assign(Object.create(clock) as FakeClock, {
      now: () => Date.now() + ahead,
      after,
      sleep,
      soon,
    })
    const dependencies = { clock: shared, random: systemRandom, log, metrics, serverIdHash: 'sha256:server' }
    return await openKmsProvider(dependencies, { name: 'kms', endpoint: `unix://${service.path}`, timeoutMs })
  }
  let ahead = 0

  beforeEach(async () => {
    ahead = 0
    clock = createFakeClock()
    metrics = createMetrics()
    service = await startKeyService()
    provider = await open()
  })
  afterEach(async () => {
    provider.close()
    await service.remove()
  })

  const encrypt = async (context = key): Promise<Buffer> =>
    Buffer.concat(await provider.transformer.encrypt(plain, context))
  const decrypt = async (stored: Uint8Array, context = key) => {
    const { value, stale } = await provider.transformer.decrypt(stored, 0, context)
    return { text: Buffer.from(value).toString(), stale }
  }
  const fresh = { text: plain.toString(), stale: false }
  const stale = { text: plain.toString(), stale: true }
  const keep = (keyId: string, ciphertext: Uint8Array, secret: Uint8Array): void =>
    void service.secrets.set(`${keyId} ${Buffer.from(ciphertext).toString('hex')}`, secret)

  it('writes as the stock server does: a seed for all values, a key for each, bound to where it is stored', async () => {
    const [one, two] = [await encrypt(), await encrypt()]
    assert.equal(service.calls.encrypt, 1)
    const type = kmsTypes['EncryptedObject']
    assert.ok(type)
    const seen = new Set<string>()
    for (const stored of [one, two]) {
      const object = type.toObject(type.decode(stored)) as {
        encryptedData: Buffer
        keyID: string
        encryptedDEKSource: Buffer
        encryptedDEKSourceType: number
      }
      assert.deepEqual([object.keyID, object.encryptedDEKSourceType], ['key-1', 1])
      const seed = service.secrets.get(`key-1 ${object.encryptedDEKSource.toString('hex')}`)
      assert.ok(seed)
      const info = object.encryptedData.subarray(0, 32)
      seen.add(info.toString('hex'))
      const opened = createDecipheriv('aes-256-gcm', expand(seed, info), object.encryptedData.subarray(32, 44))
      opened.setAAD(Buffer.from(key))
      opened.setAuthTag(object.encryptedData.subarray(-16))
      assert.deepEqual(Buffer.concat([opened.update(object.encryptedData.subarray(44, -16)), opened.final()]), plain)
      assert.deepEqual(await decrypt(stored), fresh)
    }
    assert.equal(seen.size, 2)
    assert.equal(service.calls.decrypt, 0)
    await assert.rejects(
      async () => await decrypt(one, '/registry/secrets/default/other'),
      /message authentication failed/,
    )
  })

  it('its derivation is HKDF’s expansion', () => {
    // An extraction with an empty salt makes the pseudorandom key that the expansion begins with.
    const [input, info] = [randomBytes(32), randomBytes(32)]
    const extracted = createHmac('sha256', Buffer.alloc(32)).update(input).digest()
    assert.deepEqual(expand(extracted, info), Buffer.from(hkdfSync('sha256', input, Buffer.alloc(0), info, 32)))
  })

  it('reads values of another server with another seed, and requests that seed once', async () => {
    const [ciphertext, secret] = [randomBytes(40), randomBytes(32)]
    keep('key-1', ciphertext, secret)
    const values = Array.from({ length: 20 }, () => stock(secret, { ciphertext, keyId: 'key-1' }))
    const read = await Promise.all(values.map((stored) => decrypt(stored)))
    assert.deepEqual(read, Array(20).fill(fresh))
    assert.equal(service.calls.decrypt, 1)
  })

  it('reads older values, whose key is not derived, and reports them as stale', async () => {
    const [ciphertext, secret] = [randomBytes(40), randomBytes(32)]
    keep('key-1', ciphertext, secret)
    assert.deepEqual(await decrypt(stock(secret, { ciphertext, keyId: 'key-1', type: 0 })), stale)
  })

  it('reads fields in any order, and annotations in any', async () => {
    const [ciphertext, secret] = [randomBytes(40), randomBytes(32)]
    keep('key-1', ciphertext, secret)
    const annotations = { 'b.example.com': Buffer.from('2'), 'a.example.com': Buffer.from('1') }
    const stored = stock(secret, { ciphertext, keyId: 'key-1', annotations })
    assert.deepEqual(await decrypt(stored), fresh)
    // The first field, moved to the end.
    const length = 3 + (stored.readUInt8(1) & 0x7f) + (stored.readUInt8(2) << 7)
    const head = stored.readUInt8(1) < 0x80 ? 2 + stored.readUInt8(1) : length
    assert.deepEqual(await decrypt(Buffer.concat([stored.subarray(head), stored.subarray(0, head)])), fresh)
  })

  it('uses another seed when the service names another key, and values of the old one become stale', async () => {
    const before = await encrypt()
    service.keyId = 'key-2'
    clock.advance(60_000)
    await provider.check()
    assert.deepEqual(await decrypt(before), stale)
    assert.deepEqual(await decrypt(await encrypt()), fresh)
    assert.equal(service.calls.encrypt, 2)
  })

  it('keeps the old seed when Encrypt names another key than Status', async () => {
    service.keyId = 'key-2'
    service.encryptKeyId = 'key-3'
    clock.advance(21_000)
    await assert.rejects(
      provider.check(),
      /^Error: kmsv2 Provider kms is not healthy, error: failed to rotate DEK uid="[0-9a-f-]+", errState=<nil>, errGen=<nil>, statusKeyIDHash="sha256:[0-9a-f]{64}", encryptKeyIDHash="sha256:[0-9a-f]{64}", stateKeyIDHash="sha256:[0-9a-f]{64}", expirationTimestamp="?[-0-9T:]+Z"?$/,
    )
    assert.deepEqual(await decrypt(await encrypt()), fresh)
  })

  it('writes for three minutes after the last good status, reads on, and writes again once the service is back', async () => {
    const before = await encrypt()
    service.failure = 'out of order'
    ahead = 3 * 60_000 - 2000
    assert.deepEqual(await decrypt(await encrypt()), fresh)
    ahead = 3 * 60_000 + 2000
    await assert.rejects(
      encrypt(),
      /^TransformError: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at [-0-9T:]+Z \(current time is [-0-9T:]+Z\)$/,
    )
    assert.deepEqual(await decrypt(before), fresh)
    service.failure = undefined
    clock.advance(21_000)
    await provider.check()
    assert.deepEqual(await decrypt(await encrypt()), fresh)
  })

  it('a service that was never well lets nothing be written, and is asked again after ten seconds', async () => {
    provider.close()
    await service.stop()
    provider = await open(200)
    await assert.rejects(encrypt(), /^TransformError: got unexpected nil transformer$/)
    await service.start()
    clock.advance(10_000)
    await eventually(() => service.calls.encrypt >= 2, 'another question')
    await provider.check().catch(() => {})
    clock.advance(4_000)
    await provider.check()
    assert.deepEqual(await decrypt(await encrypt()), fresh)
  })

  describe('reports what is wrong with it', () => {
    const cases: [string, (of: TestKeyService) => void, RegExp][] = [
      [
        'it is not ok',
        (of) => (of.healthz = 'bad'),
        /^kmsv2 Provider kms is not healthy, error: got unexpected healthz status: bad$/,
      ],
      ['version 1', (of) => (of.version = 'v1beta1'), /error: expected KMSv2 API version v2, got v1beta1$/],
      [
        'a version that changes',
        (of) => (of.version = 'v2beta1'),
        /KMSv2 API version should not change after the initial status response version v2, got v2beta1$/,
      ],
      ['no key', (of) => (of.keyId = ''), /got invalid KMSv2 KeyID hash "": keyID is empty$/],
      [
        'a long key',
        (of) => (of.keyId = 'k'.repeat(1025)),
        /got invalid KMSv2 KeyID hash "sha256:[0-9a-f]{64}": keyID is 1025 bytes, which exceeds the max size of 1024$/,
      ],
      [
        'two things',
        (of) => Object.assign(of, { healthz: 'bad', keyId: '' }),
        /error: \[got unexpected healthz status: bad, got invalid KMSv2 KeyID hash "": keyID is empty\]$/,
      ],
      [
        'a failure',
        (of) => (of.failure = 'out of order'),
        /^failed to perform status section of the healthz check for KMS Provider kms, error: rpc error: code = FailedPrecondition desc = out of order$/,
      ],
      [
        'a source that is too long',
        (of) => Object.assign(of, { keyId: 'key-2', ciphertext: () => Buffer.alloc(1025) }),
        /errGen=failed to validate encrypted DEK source: encrypted DEK source is 1025 bytes, which exceeds the max size of 1024,/,
      ],
      [
        'no source',
        (of) => Object.assign(of, { keyId: 'key-2', ciphertext: () => Buffer.alloc(0) }),
        /encrypted DEK source is empty/,
      ],
      [
        'an annotation of no domain',
        (of) => Object.assign(of, { keyId: 'key-2', annotations: { key: Buffer.from('v') } }),
        /failed to validate annotations: annotations: Invalid value: "key": should be a domain with at least two segments separated by dots/,
      ],
      [
        'annotations that are too long',
        (of) => Object.assign(of, { keyId: 'key-2', annotations: { 'a.example.com': Buffer.alloc(32 * 1024) } }),
        /total size of annotations is 32781, which exceeds the max size of 32768/,
      ],
    ]
    for (const [title, misbehave, problem] of cases)
      it(title, async () => {
        misbehave(service)
        clock.advance(21_000)
        await assert.rejects(provider.check(), { message: problem })
        // Once more at once: the answer stands for three seconds.
        const { status } = service.calls
        await assert.rejects(provider.check(), { message: problem })
        assert.equal(service.calls.status, status)
        assert.deepEqual(await decrypt(await encrypt()), fresh)
      })

    it('it is slow: a call takes the time of the rule at most', async () => {
      provider.close()
      provider = await open(1000)
      service.delayMs = 30_000
      clock.advance(21_000)
      const startedMs = performance.now()
      await assert.rejects(provider.check(), /rpc error: code = DeadlineExceeded/)
      assert.ok(performance.now() - startedMs < 15_000)
    })
  })

  describe('values that it can’t open', () => {
    const refusals: [string, (of: TestKeyService) => Buffer, RegExp][] = [
      [
        'of a key that it doesn’t know',
        () => stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: 'gone' }),
        /^failed to decrypt DEK, error: rpc error: code = Internal desc = Error: unknown ciphertext$/,
      ],
      [
        'without data',
        () => stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: 'k' }, Buffer.alloc(0)),
        /^encrypted data is empty$/,
      ],
      [
        'of another type',
        () => stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: 'k', type: 2 }, Buffer.alloc(9)),
        /^unknown encryptedDEKSourceType: 2$/,
      ],
      [
        'without a key id',
        () => stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: '' }),
        /^failed to validate key id: keyID is empty$/,
      ],
      [
        'cut short',
        () => stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: 'k' }).subarray(0, -5),
        /^proto: the envelope can not be read$/,
      ],
      ['garbage', () => Buffer.from('garbage'), /^proto: the envelope can not be read$/],
      ['nothing', () => Buffer.alloc(0), /^encrypted data is empty$/],
      [
        'a length beyond the end',
        () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]),
        /^proto: the envelope can not be read$/,
      ],
    ]
    for (const [title, stored, problem] of refusals)
      it(title, async () => {
        await assert.rejects(async () => await decrypt(stored(service)), { message: problem })
      })

    it('a seed of a wrong size', async () => {
      const ciphertext = randomBytes(9)
      keep('key-1', ciphertext, randomBytes(16))
      await assert.rejects(async () => await decrypt(stock(randomBytes(32), { ciphertext, keyId: 'key-1' })), {
        message: 'failed to decrypt DEK, error: invalid seed length 16 used for key generation',
      })
    })

    it('values that a wrong key can’t open can be read once the service names the right one', async () => {
      const [ciphertext, secret] = [randomBytes(40), randomBytes(32)]
      keep('key-1', ciphertext, secret)
      service.lies = true
      const stored = stock(secret, { ciphertext, keyId: 'key-1' })
      await assert.rejects(async () => await decrypt(stored), /message authentication failed/)
      service.lies = false
      assert.deepEqual(await decrypt(stored), fresh)
    })

    it('are not requested one by one: a refusal holds for a second', async () => {
      const stored = stock(randomBytes(32), { ciphertext: randomBytes(9), keyId: 'gone' })
      await Promise.allSettled(Array.from({ length: 50 }, () => decrypt(stored)))
      await assert.rejects(async () => await decrypt(stored))
      assert.equal(service.calls.decrypt, 1)
      clock.advance(1001)
      await assert.rejects(async () => await decrypt(stored))
      assert.equal(service.calls.decrypt, 2)
    })
  })

  it('counts calls and keys, and shows no key id', async () => {
    await decrypt(await encrypt())
    const { body } = await metrics.exposition()
    for (const line of [
      /^apiserver_envelope_encryption_key_id_hash_total\{apiserver_id_hash="sha256:server",key_id_hash="sha256:[0-9a-f]{64}",provider_name="kms",transformation_type="to_storage"\} 1$/m,
      /^apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds\{.*transformation_type="from_storage"\} \d/m,
      /^apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds\{/m,
      /^apiserver_envelope_encryption_kms_operations_latency_seconds_count\{grpc_status_code="OK",method_name="\/v2.KeyManagementService\/Encrypt",provider_name="kms"\} 1$/m,
      /^apiserver_storage_data_key_generation_duration_seconds_count 1$/m,
    ])
      assert.match(body, line)
    assert.ok(!body.includes('key-1'))
  })

  it('no seed, value or key id is in its log lines', () => {
    assert.ok(logged.length > 0)
    const secrets = [...service.secrets.values()].flatMap((secret) => [
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64'),
    ])
    for (const line of logged)
      for (const secret of [...secrets, 'key-1', plain.toString()]) assert.ok(!line.includes(secret), line)
  })
})
