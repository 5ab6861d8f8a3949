import assert from 'node:assert/strict'
import { systemRandom } from '../../../../lib/base/index.ts'
import { createConfigCodec } from '../../../../lib/controlplane/index.ts'
import { parseEncryptionConfiguration } from '../../../../lib/storage/encryption/configuration.ts'
import { createTransformers } from '../../../../lib/storage/encryption/transformers.ts'

const codec = createConfigCodec()
const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' }
const secret = Buffer.alloc(32, 7).toString('base64')
const identity = { identity: {} }
const aescbc = { aescbc: { keys: [{ name: 'k', secret }] } }

function parse(text: string, reload = false) {
  return parseEncryptionConfiguration({ text, file: '/etc/enc.yaml' }, codec, { reload })
}

function parseObject(resources: unknown, reload = false) {
  return parse(JSON.stringify({ ...head, resources }), reload)
}

function problemOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return ''
}

const key = (more: object) => [
  { resources: ['secrets'], providers: [{ aescbc: { keys: [{ name: 'k', secret, ...more }] } }] },
]
const kms = (more: object) => [
  { resources: ['secrets'], providers: [{ kms: { apiVersion: 'v2', name: 'n', endpoint: 'unix:///s', ...more } }] },
]
const names = (...resources: string[]) => [{ resources, providers: [identity] }]

describe('storage: an EncryptionConfiguration', () => {
  describe('is refused in the stock server’s words', () => {
    const r0 = 'resources[0].resources'
    const p0 = 'resources[0].providers[0]'
    const cases: [string, unknown, string][] = [
      ['no resources', [], 'resources: Required value: at least one resources is required'],
      [
        'nothing named',
        [{ resources: [], providers: [identity] }],
        `${r0}: Required value: at least one ${r0} is required`,
      ],
      [
        'no providers',
        [{ resources: ['secrets'], providers: [] }],
        'resources[0].providers: Required value: at least one resources[0].providers is required',
      ],
      [
        'an empty provider',
        [{ resources: ['secrets'], providers: [{}] }],
        `${p0}: Invalid value: {}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity`,
      ],
      [
        'two in one',
        [{ resources: ['secrets'], providers: [{ ...identity, ...aescbc }] }],
        `${p0}: Invalid value: {"aescbc":"REDACTED","identity":"REDACTED"}: more than one provider specified in a single element, should split into different list elements`,
      ],
      [
        'no keys',
        [{ resources: ['secrets'], providers: [{ aesgcm: { keys: [] } }] }],
        `${p0}.aesgcm.keys: Required value: at least one keys is required`,
      ],
      ['no name', key({ name: '' }), `${p0}.aescbc.keys[0].name: Required value: name is a mandatory field for a key`],
      [
        'no secret',
        key({ secret: '' }),
        `${p0}.aescbc.keys[0].secret: Required value: secret is a mandatory field for a key`,
      ],
      [
        'no base64',
        key({ secret: 'hunter2?' }),
        `${p0}.aescbc.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
      ],
      [
        'base64 without its end',
        key({ secret: secret.slice(0, -1) }),
        `${p0}.aescbc.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
      ],
      [
        'a wrong size',
        key({ secret: 'aGVsbG8=' }),
        `${p0}.aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]`,
      ],
      [
        'a wrong size, secretbox',
        [
          {
            resources: ['secrets'],
            providers: [{ secretbox: { keys: [{ name: 'k', secret: Buffer.alloc(16).toString('base64') }] } }],
          },
        ],
        `${p0}.secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]`,
      ],
      [
        'a key service without a name',
        kms({ name: '' }),
        `${p0}.kms.name: Required value: name is a mandatory field for a provider`,
      ],
      [
        'a colon',
        kms({ name: 'a:b' }),
        `${p0}.kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`,
      ],
      [
        'a key service twice',
        [...kms({}), ...kms({})],
        'resources[1].providers[0].kms.name: Invalid value: "n": duplicate KMS provider name n, names must be unique',
      ],
      ['no time', kms({ timeout: '0s' }), `${p0}.kms.timeout: Invalid value: "0s": timeout should be a positive value`],
      [
        'no endpoint',
        kms({ endpoint: '' }),
        `${p0}.kms.endpoint: Invalid value: "": endpoint is a mandatory field for a kms`,
      ],
      [
        'an endpoint that is none',
        kms({ endpoint: 'unix:///a\u0001' }),
        `${p0}.kms.endpoint: Invalid value: "unix:///a\\x01": invalid endpoint for kms provider, error: parse "unix:///a\\u0001": net/url: invalid control character in URL`,
      ],
      [
        'http',
        kms({ endpoint: 'http://x' }),
        `${p0}.kms.endpoint: Invalid value: "http://x": unsupported scheme "http" for KMS provider, only unix is supported`,
      ],
      [
        'a cache of v2',
        kms({ cachesize: 5 }),
        `${p0}.kms.cachesize: Invalid value: 5: cachesize is not supported in v2`,
      ],
      [
        'no cache of v1',
        kms({ apiVersion: 'v1', cachesize: 0 }),
        `${p0}.kms.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable`,
      ],
      [
        'version 3',
        kms({ apiVersion: 'v3' }),
        `${p0}.kms.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported`,
      ],
      [
        'capitals',
        names('Secrets'),
        `${r0}[0]: Invalid value: "Secrets": resource name should not contain capital letters`,
      ],
      [
        'a star',
        names('*'),
        `${r0}[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
      ],
      [
        'addresses',
        names('serviceipallocations'),
        `${r0}[0]: Invalid value: "serviceipallocations": resources which do not have REST API/s cannot be encrypted`,
      ],
      [
        'events of the new group',
        names('events.events.k8s.io'),
        `${r0}[0]: Invalid value: "events.events.k8s.io": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`,
      ],
      [
        'extensions',
        names('ingresses.extensions'),
        `${r0}[0]: Invalid value: "ingresses.extensions": 'extensions' group has been removed and cannot be used for encryption`,
      ],
      [
        'all groups',
        names('secrets.*'),
        `${r0}[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported`,
      ],
      [
        'twice in a list',
        names('secrets', 'secrets'),
        `${r0}: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times`,
      ],
      [
        'a group and one of it',
        names('secrets', '*.'),
        `${r0}: Invalid value: ["secrets","*."]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
      ],
      [
        'everything and a group',
        names('*.apps', '*.*'),
        `${r0}: Invalid value: ["*.apps","*.*"]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
      ],
    ]
    for (const [title, resources, problem] of cases)
      it(title, () => {
        assert.equal(
          problemOf(() => parseObject(resources)),
          `error while parsing file: ${problem}`,
        )
      })

    it('a configuration with several errors is refused with all of them in one line', () => {
      assert.equal(
        problemOf(() => parseObject([{ resources: ['A'], providers: [] }])),
        'error while parsing file: [resources[0].providers: Required value: at least one resources[0].providers is required, resources[0].resources[0]: Invalid value: "A": resource name should not contain capital letters]',
      )
    })

    const masked: [string, string[][], string][] = [
      [
        'by its group',
        [['*.apps'], ['deployments.apps']],
        'resource "deployments.apps" is masked by earlier rule "*.apps"',
      ],
      ['by the core group', [['*.'], ['secrets']], 'resource "secrets" is masked by earlier rule "*."'],
      ['by everything', [['*.*'], ['secrets']], 'resource "secrets" is masked by earlier rule "*.*"'],
      ['a group by everything', [['*.*'], ['*.']], 'resource "*." is masked by earlier rule "*.*"'],
      ['a group by itself', [['*.apps'], ['*.apps']], 'resource "*.apps" is masked by earlier rule "*.apps"'],
    ]
    for (const [title, lists, problem] of masked)
      it(`a rule that is masked ${title}`, () => {
        const resources = lists.map((list) => ({ resources: list, providers: [identity] }))
        assert.equal(
          problemOf(() => parseObject(resources)),
          `error while building transformers: ${problem}`,
        )
      })

    it('a configuration with KMS version 1, which is the default, is refused', () => {
      for (const apiVersion of ['v1', undefined])
        assert.equal(
          problemOf(() => parseObject(kms({ apiVersion }))),
          'error while building transformers: KMSv1 is deprecated and is not supported by this server. Use KMSv2 instead (apiVersion: v2).',
        )
    })

    it('a configuration with v1 and a repeated name is refused only where the file is followed', () => {
      const twice = [...kms({ apiVersion: 'v1' }), ...kms({ apiVersion: 'v1' })]
      assert.match(
        problemOf(() => parseObject(twice)),
        /KMSv1/,
      )
      assert.match(
        problemOf(() => parseObject(twice, true)),
        /duplicate KMS provider name n/,
      )
    })

    it('an empty configuration is refused', () => {
      const about = 'encryption provider configuration file "/etc/enc.yaml"'
      assert.equal(
        problemOf(() => parse('')),
        `error while parsing file: ${about} is empty`,
      )
    })
  })

  describe('that is hostile', () => {
    const hostile: [string, string][] = [
      [
        'no YAML',
        `${JSON.stringify(head).slice(0, -1)}, resources: [{resources: [secrets], providers: [{aescbc: {keys: [{name: k, secret: ${secret}}]}}`,
      ],
      [
        'a tab',
        `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- providers:\n\t- aescbc: {keys: [{name: k, secret: ${secret}}]}\n`,
      ],
      ['another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Secret', data: { secret } })],
      ['another version', JSON.stringify({ ...head, apiVersion: 'apiserver.config.k8s.io/v2', resources: key({}) })],
      ['an unknown field', JSON.stringify({ ...head, resources: key({ [secret]: secret }) })],
      [
        'a key twice',
        `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [{aescbc: {keys: [{name: k, secret: ${secret}, secret: ${secret}}]}}]}]}`,
      ],
      ['a list for a secret', JSON.stringify({ ...head, resources: key({ secret: [secret] }) })],
      [
        'a number for keys',
        JSON.stringify({ ...head, resources: [{ resources: ['secrets'], providers: [{ aescbc: { keys: 7 } }] }] }),
      ],
      ['a text for resources', JSON.stringify({ ...head, resources: secret })],
      ['a scalar', secret],
      ['no YAML that begins with a secret', `{${secret}: [`],
      ['parentheses', `{(a) (${secret}: [(`],
      ['an alias', `{a: *${secret.slice(0, 20)}}`],
      ['null', 'null'],
      [
        'names of prototypes',
        JSON.stringify({ ...head, resources: [{ resources: ['__proto__'], providers: [{ constructor: {} }] }] }),
      ],
    ]
    for (const [title, text] of hostile)
      it(`${title}: refused, on one line, without the text`, () => {
        const problem = problemOf(() => parse(text))
        assert.match(problem, /^error while parsing file: /)
        assert.ok(!problem.includes('\n'), problem)
        // The name of an unknown field is shown, as elsewhere; it is no place for a secret.
        if (title !== 'an unknown field') assert.ok(!problem.includes(secret.slice(0, 8)), problem)
      })
  })

  describe('decides by the resource', () => {
    const kms = (): never => {
      throw new Error('no key service')
    }
    const box = { secretbox: { keys: [{ name: 'k', secret }] } }
    const gcm = { aesgcm: { keys: [{ name: 'k', secret }] } }
    const file = [
      { resources: ['secrets', 'widgets.example.com'], providers: [aescbc] },
      { resources: ['secrets'], providers: [gcm] },
      { resources: ['*.apps', '__proto__'], providers: [box] },
      { resources: ['*.*'], providers: [identity, gcm] },
    ]
    const transformerOf = createTransformers(parseObject(file), { random: systemRandom, kms })
    const cases: [string, string, string[]][] = [
      ['', 'secrets', ['k8s:enc:aescbc:v1:', 'k8s:enc:aesgcm:v1:']],
      ['example.com', 'widgets', ['k8s:enc:aescbc:v1:']],
      ['apps', 'deployments', ['k8s:enc:secretbox:v1:']],
      ['', 'configmaps', ['', 'k8s:enc:aesgcm:v1:']],
      ['', '__proto__', ['k8s:enc:secretbox:v1:']],
      ['constructor', 'toString', ['', 'k8s:enc:aesgcm:v1:']],
    ]
    for (const [group, resource, prefixes] of cases)
      it(`${resource} of group "${group}": ${prefixes.join(', ')}`, () => {
        const { members } = transformerOf({ group, resource })
        assert.deepEqual(
          members.map(({ name }) => name),
          prefixes,
        )
      })

    it('a resource without a rule is left alone', async () => {
      const { transformer } = createTransformers(parseObject(names('secrets')), { random: systemRandom, kms })({
        group: '',
        resource: 'pods',
      })
      await assert.rejects(
        async () => await transformer.decrypt(Buffer.from('k8s:enc:aesgcm:v1:k:x'), 0, 'k'),
        /^TransformError: identity transformer tried to read encrypted data$/,
      )
    })
  })
})
