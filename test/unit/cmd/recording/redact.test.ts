import assert from 'node:assert/strict'
import { redactObject, redactQuery, redactText } from '../../../../cmd/pilothouse/recording/index.ts'

/** A secret of every case; it must be nowhere in the result. */
const secret = 'Hunter2Hunter2'
const base64 = Buffer.from(secret).toString('base64')
const token = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.${secret}`

const objects: Readonly<Record<string, readonly [value: unknown, isSecret?: boolean]>> = {
  'data of a Secret': [{ kind: 'Secret', apiVersion: 'v1', data: { a: base64 } }],
  'string data of a Secret': [{ kind: 'Secret', apiVersion: 'v1', stringData: { a: secret } }],
  'a Secret in a List': [{ kind: 'List', items: [{ kind: 'Secret', data: { a: base64 } }] }],
  'a SecretList, whose items have no kind': [{ kind: 'SecretList', items: [{ data: { a: base64 } }] }],
  'a Secret in a row of a Table': [{ kind: 'Table', rows: [{ object: { kind: 'Secret', data: { a: base64 } } }] }],
  'a merge patch of a Secret': [{ stringData: { a: secret } }, true],
  'a JSON patch of a Secret': [[{ op: 'add', path: '/data/a', value: base64 }], true],
  'a JSON patch of all data of a Secret': [[{ op: 'add', path: '/data', value: { a: base64 } }], true],
  'a JSON patch of the whole Secret': [[{ op: 'replace', path: '', value: { data: { a: base64 } } }], true],
  'a JSON patch of a field with the name of a secret': [[{ op: 'add', path: '/spec/password', value: secret }]],
  'the applied form of a Secret': [
    {
      kind: 'Secret',
      metadata: {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ kind: 'Secret', data: { a: base64 } }),
        },
      },
    },
  ],
  'the token of a TokenRequest': [{ kind: 'TokenRequest', status: { token: secret } }],
  'the token of a TokenReview': [{ kind: 'TokenReview', spec: { token: secret } }],
  'a variable with the name of a secret': [{ spec: { env: [{ name: 'DB_PASSWORD', value: secret }] } }],
  'an argument of a command': [{ spec: { args: [`--token=${secret}`, `--password ${secret}`] } }],
  'a kubeconfig in a ConfigMap': [
    { kind: 'ConfigMap', data: { kubeconfig: `users:\n- user:\n    password: ${secret}\n    token: ${secret}` } },
  ],
  'a JSON text in a ConfigMap': [
    { kind: 'ConfigMap', data: { config: `{"apiKey":"${secret}","password": "${secret}"}` } },
  ],
  'a private key in a ConfigMap': [
    { kind: 'ConfigMap', data: { k: `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----` } },
  ],
  'an address with a password': [{ kind: 'ConfigMap', data: { url: `postgres://me:${secret}@db/x` } }],
  'a web token in an annotation': [{ metadata: { annotations: { note: `see ${token}` } } }],
  'a header in a probe': [{ httpHeaders: [{ name: 'Authorization', value: `Bearer ${secret}` }] }],
  'a password of a custom resource': [{ kind: 'Database', spec: { adminPassword: secret } }],
}

describe('cmd: recordings hide secrets', () => {
  for (const [title, [value, isSecret]] of Object.entries(objects))
    it(`${title} is hidden`, () => {
      const text = JSON.stringify(redactObject(value, isSecret))
      assert.ok(!text.includes(secret) && !text.includes(base64), text)
    })

  for (const [query, shown] of [
    ['watch=true&resourceVersion=5', 'watch=true&resourceVersion=5'],
    [`access_token=${secret}&a=b`, 'access_token=redacted&a=b'],
    [`command=login&command=--password%3D${secret}`, 'command=login&command=--password%3Dredacted'],
    ['labelSelector=a%3Db,c', 'labelSelector=a%3Db,c'],
    ['continue=abc', 'continue=abc'],
    ['fieldManager=kubectl&force=true', 'fieldManager=kubectl&force=true'],
    [`a=%E0%A4${secret}`, 'a=redacted'],
  ] as const)
    it(`the query ${query.slice(0, 30)} is recorded as ${shown}`, () => assert.equal(redactQuery(query), shown))

  it('a Secret stays one that a server takes', () => {
    const shown = redactObject({
      kind: 'Secret',
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': base64 },
    }) as { data: Record<string, string> }
    assert.deepEqual(JSON.parse(Buffer.from(shown.data['.dockerconfigjson'] ?? '', 'base64').toString()), { auths: {} })
  })

  it('a JSON patch of the metadata of a Secret stays as it is', () => {
    const patch = [{ op: 'replace', path: '/metadata/resourceVersion', value: '7' }]
    assert.deepEqual(redactObject(patch, true), patch)
  })

  it('what is no secret stays as it is', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default', uid: 'a-b', resourceVersion: '7' },
      spec: {
        serviceAccountName: 'web',
        imagePullSecrets: [{ name: 'registry' }],
        volumes: [{ name: 's', secret: { secretName: 'tls', items: [{ key: 'tls.key', path: 'key' }] } }],
        containers: [{ name: 'web', image: 'nginx:1', env: [{ name: 'MODE', value: 'fast' }], args: ['--port=80'] }],
      },
    }
    assert.deepEqual(redactObject(pod), pod)
    assert.equal(
      redactText('kubectl/v1.36.0 (linux/amd64) kubernetes/abc'),
      'kubectl/v1.36.0 (linux/amd64) kubernetes/abc',
    )
  })

  it('long texts without an end of a word take no time that grows with their square', () => {
    const parts = ['a', '-', 'ey-', '--x', 'token', 'token.', 'token: ', '-----BEGIN ', 'bearer ', '://a:', 'LS0t', ' ']
    const cpuUs = process.cpuUsage()
    for (const part of parts) redactText(part.repeat(1e6 / part.length))
    // It takes 0.3 s; one pattern that begins anywhere took minutes.
    assert.ok(process.cpuUsage(cpuUs).user < 10e6)
  })
})
