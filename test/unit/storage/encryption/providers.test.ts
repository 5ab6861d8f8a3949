import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { systemRandom } from '../../../../lib/base/index.ts'
import { createConfigCodec } from '../../../../lib/controlplane/index.ts'
import { parseEncryptionConfiguration } from '../../../../lib/storage/encryption/configuration.ts'
import { createTransformers } from '../../../../lib/storage/encryption/transformers.ts'
import { naclSecretbox } from '../../../support/nacl.ts'

const key = '/registry/secrets/default/s1'
const secrets = { group: '', resource: 'secrets' }
const keys = { one: randomBytes(32), two: randomBytes(32), short: randomBytes(16), middle: randomBytes(24) }
const plain = Buffer.from('k8s\0 the value')

type KeyName = keyof typeof keys

function provider(type: string, ...names: KeyName[]): string {
  if (type === 'identity') return '{identity: {}}'
  const list = names.map((name) => `{name: ${name}, secret: ${keys[name].toString('base64')}}`)
  return `{${type}: {keys: [${list.join(', ')}]}}`
}

function transformer(...providers: string[]) {
  const text = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [${providers.join(', ')}]}]}`
  const rules = parseEncryptionConfiguration({ text, file: 'f' }, createConfigCodec(), { reload: false })
  const kms = (): never => {
    throw new Error('no key service')
  }
  return createTransformers(rules, { random: systemRandom, kms })(secrets).transformer
}

async function encrypt(providers: string[], value: Uint8Array = plain, context = key): Promise<Buffer> {
  return Buffer.concat(await transformer(...providers).encrypt(value, context))
}

async function decrypt(providers: string[], stored: Uint8Array, context = key) {
  const { value, stale } = await transformer(...providers).decrypt(stored, 0, context)
  return { text: Buffer.from(value).toString(), stale }
}

/** As the formats say, made without the code under test. */
const stock = {
  aescbc(name: KeyName, value: Uint8Array): Buffer {
    const iv = randomBytes(16)
    const cipher = createCipheriv(`aes-${keys[name].length * 8}-cbc`, keys[name], iv)
    return Buffer.concat([Buffer.from(`k8s:enc:aescbc:v1:${name}:`), iv, cipher.update(value), cipher.final()])
  },
  aesgcm(name: KeyName, value: Uint8Array): Buffer {
    const nonce = randomBytes(12)
    // The type wants a cipher that it knows.
    const cipher = createCipheriv(`aes-${keys[name].length * 8}-gcm` as 'aes-256-gcm', keys[name], nonce)
    cipher.setAAD(Buffer.from(key))
    const body = Buffer.concat([cipher.update(value), cipher.final()])
    return Buffer.concat([Buffer.from(`k8s:enc:aesgcm:v1:${name}:`), nonce, body, cipher.getAuthTag()])
  },
  secretbox(name: KeyName, value: Uint8Array): Buffer {
    const nonce = randomBytes(24)
    return Buffer.concat([Buffer.from(`k8s:enc:secretbox:v1:${name}:`), nonce, naclSecretbox(keys[name], nonce, value)])
  },
}

describe('storage: the providers of encryption', () => {
  for (const type of ['aescbc', 'aesgcm', 'secretbox'] as const)
    for (const name of type === 'secretbox' ? (['one'] as const) : (['one', 'short', 'middle'] as const))
      for (const size of [0, 1, 15, 16, 17, 1024])
        it(`${type} reads ${size} bytes under a key of ${keys[name].length} bytes as the stock server writes them`, async () => {
          const value = randomBytes(size)
          const read = await transformer(provider(type, name)).decrypt(stock[type](name, value), 0, key)
          assert.deepEqual([Buffer.from(read.value), read.stale], [value, false])
          assert.equal(read.value.byteLength, read.value.buffer.byteLength, 'it holds more memory than its own')
        })

  it('aescbc writes the name of its key, an IV, and blocks that are padded', async () => {
    const stored = await encrypt([provider('aescbc', 'two', 'one')])
    const head = 'k8s:enc:aescbc:v1:two:'
    assert.equal(stored.subarray(0, head.length).toString(), head)
    const body = stored.subarray(head.length)
    const decipher = createDecipheriv('aes-256-cbc', keys.two, body.subarray(0, 16))
    assert.deepEqual(Buffer.concat([decipher.update(body.subarray(16)), decipher.final()]), plain)
  })

  it('aesgcm writes the name of its key, a nonce, and what is bound to the key in the store', async () => {
    const stored = await encrypt([provider('aesgcm', 'one')])
    const head = 'k8s:enc:aesgcm:v1:one:'
    assert.equal(stored.subarray(0, head.length).toString(), head)
    const body = stored.subarray(head.length)
    const decipher = createDecipheriv('aes-256-gcm', keys.one, body.subarray(0, 12))
    decipher.setAAD(Buffer.from(key))
    decipher.setAuthTag(body.subarray(-16))
    assert.deepEqual(Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]), plain)
  })

  it('secretbox writes the name of its key, a nonce, and a box', async () => {
    const stored = await encrypt([provider('secretbox', 'one')])
    const head = 'k8s:enc:secretbox:v1:one:'
    assert.equal(stored.subarray(0, head.length).toString(), head)
    const body = stored.subarray(head.length)
    assert.deepEqual(body.subarray(24), naclSecretbox(keys.one, body.subarray(0, 24), plain))
  })

  it('no two writes of a value are alike', async () => {
    for (const type of ['aescbc', 'aesgcm', 'secretbox'])
      assert.notDeepEqual(await encrypt([provider(type, 'one')]), await encrypt([provider(type, 'one')]), type)
  })

  it('one decrypter serves many values, whatever it was given in between', async () => {
    const read = transformer(provider('aescbc', 'one'))
    const values = Array.from({ length: 50 }, (_, size) => randomBytes(size * 7))
    for (const value of values) {
      // One in 256 of these is padded by chance.
      assert.throws(() => {
        void read.decrypt(Buffer.from('k8s:enc:aescbc:v1:one:0123456789abcdef0123456789abcdef'), 0, key)
        throw new Error('by chance')
      })
      const { value: got } = await read.decrypt(stock.aescbc('one', value), 0, key)
      assert.deepEqual(Buffer.from(got), value)
    }
  })

  describe('what is stale', () => {
    const cases: [string, string[], () => Buffer, boolean][] = [
      ['what the first key wrote', [provider('aescbc', 'one', 'two')], () => stock.aescbc('one', plain), false],
      ['what the second key wrote', [provider('aescbc', 'two', 'one')], () => stock.aescbc('one', plain), true],
      [
        'what the second provider wrote',
        [provider('secretbox', 'two'), provider('aesgcm', 'one')],
        () => stock.aesgcm('one', plain),
        true,
      ],
      [
        'the same provider twice',
        [provider('aesgcm', 'two'), provider('aesgcm', 'one')],
        () => stock.aesgcm('one', plain),
        true,
      ],
      ['plain values before encryption', [provider('aescbc', 'one'), provider('identity')], () => plain, true],
      ['plain values after it', [provider('identity'), provider('aescbc', 'one')], () => plain, false],
      [
        'what is to be decrypted for good',
        [provider('identity'), provider('aescbc', 'one')],
        () => stock.aescbc('one', plain),
        true,
      ],
    ]
    for (const [title, providers, stored, stale] of cases)
      it(`${title}: ${stale ? 'yes' : 'no'}`, async () => {
        assert.deepEqual(await decrypt(providers, stored()), { text: plain.toString(), stale })
      })
  })

  describe('what can’t be read', () => {
    const cut = (bytes: Buffer, size: number): Buffer => bytes.subarray(0, size)
    const flip = (bytes: Buffer, at: number): Buffer => {
      const copy = Buffer.from(bytes)
      const place = at < 0 ? copy.length + at : at
      copy[place] = (copy[place] ?? 0) ^ 1
      return copy
    }
    const unpadded = (last: number[]): Buffer => {
      const iv = randomBytes(16)
      const cipher = createCipheriv('aes-256-cbc', keys.one, iv).setAutoPadding(false)
      const block = Buffer.concat([Buffer.alloc(16 - last.length), Buffer.from(last)])
      return Buffer.concat([Buffer.from('k8s:enc:aescbc:v1:one:'), iv, cipher.update(block)])
    }
    const head = { aescbc: 22, aesgcm: 22, secretbox: 25 }
    const cases: [string, string[], () => Buffer, string][] = [
      ['no provider', [provider('aescbc', 'one')], () => stock.aesgcm('one', plain), 'no matching prefix found'],
      ['plain, and no identity', [provider('aescbc', 'one')], () => plain, 'no matching prefix found'],
      [
        'encrypted, and identity alone',
        [provider('identity')],
        () => stock.aesgcm('one', plain),
        'no matching prefix found',
      ],
      [
        'another key’s name',
        [provider('aesgcm', 'one')],
        () => stock.aesgcm('two', plain),
        'no matching key was found for the provided AES transformer',
      ],
      [
        'another key’s name, cbc',
        [provider('aescbc', 'one')],
        () => stock.aescbc('two', plain),
        'no matching key was found for the provided AES transformer',
      ],
      [
        'another key’s name, secretbox',
        [provider('secretbox', 'one')],
        () => stock.secretbox('two', plain),
        'no matching key was found for the provided Secretbox transformer',
      ],
      [
        'no nonce',
        [provider('aesgcm', 'one')],
        () => cut(stock.aesgcm('one', plain), head.aesgcm + 11),
        'the stored data was shorter than the required size',
      ],
      [
        'no tag',
        [provider('aesgcm', 'one')],
        () => cut(stock.aesgcm('one', plain), head.aesgcm + 20),
        'cipher: message authentication failed',
      ],
      [
        'a changed bit',
        [provider('aesgcm', 'one')],
        () => flip(stock.aesgcm('one', plain), -20),
        'cipher: message authentication failed',
      ],
      [
        'a changed tag',
        [provider('aesgcm', 'one')],
        () => flip(stock.aesgcm('one', plain), -1),
        'cipher: message authentication failed',
      ],
      [
        'no IV',
        [provider('aescbc', 'one')],
        () => cut(stock.aescbc('one', plain), head.aescbc + 15),
        'the stored data was shorter than the required size',
      ],
      [
        'part of a block',
        [provider('aescbc', 'one')],
        () => cut(stock.aescbc('one', plain), head.aescbc + 17),
        'the stored data is not a multiple of the block size',
      ],
      [
        'an IV and nothing else',
        [provider('aescbc', 'one')],
        () => cut(stock.aescbc('one', plain), head.aescbc + 16),
        'invalid PKCS7 data (empty or not padded)',
      ],
      [
        'padding of nothing',
        [provider('aescbc', 'one')],
        () => unpadded([0]),
        'invalid PKCS7 data (empty or not padded)',
      ],
      [
        'padding beyond the block',
        [provider('aescbc', 'one')],
        () => unpadded([17]),
        'invalid PKCS7 data (empty or not padded)',
      ],
      ['padding of several kinds', [provider('aescbc', 'one')], () => unpadded([2, 3, 3]), 'invalid padding on input'],
      [
        'no nonce, secretbox',
        [provider('secretbox', 'one')],
        () => cut(stock.secretbox('one', plain), head.secretbox + 23),
        'the stored data was shorter than the required size',
      ],
      [
        'no tag, secretbox',
        [provider('secretbox', 'one')],
        () => cut(stock.secretbox('one', plain), head.secretbox + 30),
        'output array was not large enough for encryption',
      ],
      [
        'a changed bit, secretbox',
        [provider('secretbox', 'one')],
        () => flip(stock.secretbox('one', plain), -1),
        'output array was not large enough for encryption',
      ],
      [
        'two that fail',
        [provider('aesgcm', 'one'), provider('aesgcm', 'two')],
        () => flip(stock.aesgcm('one', plain), -1),
        '[cipher: message authentication failed, no matching key was found for the provided AES transformer]',
      ],
    ]
    for (const [title, providers, stored, message] of cases)
      it(`${title}: ${message}`, async () => {
        await assert.rejects(async () => await decrypt(providers, stored()), {
          name: /TransformError|NoMatchingPrefix/,
          message,
        })
      })

    it('aesgcm can’t read a value that was moved to another key of the store', async () => {
      const stored = await encrypt([provider('aesgcm', 'one')], plain, '/registry/secrets/default/other')
      await assert.rejects(
        async () => await decrypt([provider('aesgcm', 'one')], stored),
        /message authentication failed/,
      )
    })
  })
})
