import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { ask } from '../../support/plane.ts'

const caution =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.'
const refusal = 'only the following media types are accepted: application/json, application/yaml, text/plain'

describe('/statusz and /flagz', () => {
  const folder = scratchFolder('componentpages')
  let server: Apiserver

  before(async () => {
    server = await startComposed(
      folder.path,
      [
        '--authorization-mode=RBAC',
        '--service-account-jwks-uri=https://user:hunter2@keys.test/keys',
        '--cors-allowed-origins=//a$,//b$',
        '--request-timeout=1m30s',
      ],
      { tokens: ['monitor-token,monitor,monitor,"system:monitoring"', 'other-token,other,other'] },
    )
  })
  after(() => server.stop())

  const get = (path: string, accept?: string, token = adminToken) =>
    ask(server.url, path, { token, headers: accept === undefined ? {} : { accept } })

  it('state in plain text what runs, for how long, and where', async () => {
    for (const accept of [undefined, '*/*', 'text/plain', 'text/html, text/plain;q=0.5']) {
      const { status, headers, text } = await get('/statusz', accept)
      assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
      const lines = text.split('\n')
      assert.deepEqual(lines.slice(0, 4), ['', 'apiserver statusz', caution, ''])
      const delimiter = /^Started(:|: |=| ) (?=\w{3} )/.exec(lines[4] ?? '')?.[1] ?? 'none'
      assert.notEqual(delimiter, 'none')
      assert.match(lines[4] ?? '', /\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}$/)
      assert.match(lines[5] ?? '', /^Up.{1,3}0 hr 0 min \d+ sec$/)
      assert.match(lines[7] ?? '', /^Binary version.{1,3}1\.36\.0\+pilothouse/)
      assert.equal(lines[8], `Emulation version${delimiter} 1.36`)
      assert.equal(lines[9], `Paths${delimiter} /flagz /healthz /livez /metrics /readyz /statusz /version`)
      assert.deepEqual(lines.slice(10), [''])
    }
  })

  it('are structured documents for clients that name one', async () => {
    const accept = 'application/json;v=v1beta1;g=config.k8s.io;as=Statusz'
    const { status, headers, body } = await get('/statusz', accept)
    assert.deepEqual(
      [status, headers['content-type'], headers['warning']],
      [200, 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz', undefined],
    )
    assert.deepEqual(Object.keys(body), [
      'kind',
      'apiVersion',
      'metadata',
      'startTime',
      'uptimeSeconds',
      'goVersion',
      'binaryVersion',
      'emulationVersion',
      'paths',
    ])
    assert.deepEqual(
      [body.kind, body.apiVersion, body.metadata],
      ['Statusz', 'config.k8s.io/v1beta1', { name: 'apiserver' }],
    )
    assert.match(body.startTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const yaml = await get('/flagz', 'application/yaml;v=v1beta1;g=config.k8s.io;as=Flagz')
    assert.match(yaml.text, /^apiVersion: config\.k8s\.io\/v1beta1\nflags:\n {2}admission/)
  })

  it('warn users of the alpha version', async () => {
    const { status, headers, body } = await get('/statusz', 'application/json;v=v1alpha1;g=config.k8s.io;as=Statusz')
    assert.deepEqual([status, body.apiVersion], [200, 'config.k8s.io/v1alpha1'])
    assert.equal(
      headers['warning'],
      '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
    )
  })

  it('refuse other formats', async () => {
    for (const accept of [
      'application/json',
      'application/json;v=v1beta1;g=config.k8s.io;as=Flagz',
      'application/json;v=v1;g=config.k8s.io;as=Statusz',
      'application/json;__proto__=1;v=constructor',
    ]) {
      const { status, body } = await get('/statusz', accept)
      assert.deepEqual(
        [status, body.kind, body.reason, body.message],
        [406, 'Status', 'NotAcceptable', refusal],
        accept,
      )
    }
  })

  it('show every flag as parsed, without the credentials in URLs', async () => {
    const { text } = await get('/flagz')
    assert.match(text, /^\napiserver flagz\n/)
    assert.match(text, /\ncors-allowed-origins(:|: |=| )\[\/\/a\$,\/\/b\$\]\n/)
    assert.match(text, /\nrequest-timeout(:|: |=| )1m30s\n/)
    assert.match(text, /\nservice-account-jwks-uri(:|: |=| )https:\/\/\[redacted\]@keys\.test\/keys\n/)
    assert.ok(!text.includes('hunter2'))
    const names = text
      .split('\n')
      .slice(4, -1)
      .map((line) => /^[\w-]+/.exec(line)?.[0] ?? '')
    assert.deepEqual(names, names.toSorted())
    assert.ok(names.length > 100)
  })

  it('use another delimiter in every answer', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 40; round++) seen.add(/\nv(\W+)0\n/.exec((await get('/flagz')).text)?.[1] ?? '')
    assert.ok(seen.size > 1)
  })

  it('are served to users that RBAC allows, monitors among them', async () => {
    for (const path of ['/statusz', '/flagz']) {
      assert.equal((await get(path, undefined, 'monitor-token')).status, 200)
      assert.equal((await get(path, undefined, 'other-token')).status, 403)
    }
  })

  for (const flag of ['--emulated-version=1.33', '--feature-gates=ComponentStatusz=false,ComponentFlagz=false'])
    it(`are missing with ${flag}`, async () => {
      const plain = await startComposed(folder.path, [flag])
      try {
        for (const path of ['/statusz', '/flagz'])
          assert.equal((await ask(plain.url, path, { token: adminToken })).status, 404)
      } finally {
        await plain.stop()
      }
    })
})
