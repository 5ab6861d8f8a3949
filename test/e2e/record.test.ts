import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ControlPlane, startControlPlane } from '../../cmd/pilothouse/library.ts'
import { findKubectl } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/plane.ts'
import { type ProgramResult, runProgram, spawnProgram } from '../support/program.ts'

const run = promisify(execFile)
const program = 'cmd/pilothouse/main.ts'
const secret = 'Hunter2Hunter2'

interface Recorder {
  readonly url: string
  readonly token: string
  readonly kubeconfig: string
  readonly file: string
  stop(): Promise<readonly Record<string, unknown>[]>
}

describe('pilothouse record and replay', function () {
  this.timeout(120_000)
  const folder = scratchFolder('record')
  let plane: ControlPlane
  let count = 0
  before(async () => {
    plane = await startControlPlane()
  })
  afterEach(() => plane.reset())
  after(async () => {
    await plane.stop()
    folder.remove()
  })

  async function record(...flags: readonly string[]): Promise<Recorder> {
    const file = join(folder.path, `r${++count}.jsonl`)
    const line = ['record', `--kubeconfig=${await plane.kubeconfigFile()}`, `--out=${file}`, ...flags]
    const recorder = spawnProgram(program, line)
    await recorder.says(/^export KUBECONFIG=/m)
    const kubeconfig = `${file}.kubeconfig`
    const text = readFileSync(kubeconfig, 'utf8')
    return {
      url: /server: (\S+)/.exec(text)?.[1] ?? '',
      token: /token: (\S+)/.exec(text)?.[1] ?? '',
      kubeconfig,
      file,
      async stop() {
        recorder.process.kill('SIGTERM')
        assert.equal(await recorder.exited, 0)
        assert.ok(!existsSync(kubeconfig))
        return readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((each) => JSON.parse(each) as Record<string, unknown>)
      },
    }
  }

  const replay = async (file: string, ...flags: readonly string[]): Promise<ProgramResult> =>
    await runProgram(program, ['replay', file, `--kubeconfig=${await plane.kubeconfigFile()}`, '--speed=0', ...flags])

  const configMaps = '/api/v1/namespaces/default/configmaps'

  it('a session with generated names, preconditions and conflicts plays without differences', async () => {
    const { url, token, file, stop } = await record('--bodies')
    const send = async (path: string, method: string, body?: unknown): ReturnType<typeof ask> =>
      await ask(url, path, { method, token, body })
    const made = await send(configMaps, 'POST', { metadata: { generateName: 'made-' }, data: { a: 'b' } })
    const { name, uid, resourceVersion } = made.body.metadata
    const changed = { metadata: { name, uid, resourceVersion }, data: { a: 'c' } }
    assert.equal((await send(`${configMaps}/${name}`, 'PUT', changed)).status, 200)
    assert.equal((await send(`${configMaps}/${name}`, 'PUT', changed)).status, 409)
    assert.equal((await send(`${configMaps}?limit=1`, 'GET')).status, 200)
    assert.equal((await send(`${configMaps}/none`, 'GET')).status, 404)
    assert.equal((await send(`${configMaps}/${name}`, 'DELETE')).status, 200)
    const lines = await stop()
    assert.deepEqual(
      lines.filter(({ type }) => type === 'answer').map(({ status }) => status),
      [201, 200, 409, 200, 404, 200],
    )
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await plane.reset()
    const { code, stdout, stderr } = await replay(file, '--bodies')
    assert.deepEqual([code, stdout, stderr], [0, '6 requests: 0 differ, 0 not played\n', ''])
  })

  it('answers that differ are listed, and the exit code is 2', async () => {
    const { url, token, file, stop } = await record('--bodies')
    const body = { metadata: { name: 'one' }, data: { a: 'b' } }
    assert.equal((await ask(url, configMaps, { token, body })).status, 201)
    assert.equal((await ask(url, `${configMaps}/one`, { token })).status, 200)
    await stop()
    // The object is still there.
    const { code, stdout } = await replay(file)
    assert.equal(code, 2)
    assert.match(stdout, /^LINE +REQUEST +RECORDED +REPLAYED\n2 +POST \/api\/v1\/\S+ +201 +409 AlreadyExists\n/)
    assert.match(stdout, /\n2 requests: 1 differ, 0 not played\n$/)
    const patch = {
      method: 'PATCH',
      body: '{"data":{"a":"other"}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    }
    assert.equal((await plane.fetch(`${configMaps}/one`, patch)).status, 200)
    assert.match((await replay(file, '--bodies')).stdout, /GET \S+ +200 +200, other data\.a\n/)
  })

  it('no secret and no credential is in a recording', async () => {
    const { url, token, file, stop } = await record('--bodies')
    const secrets = '/api/v1/namespaces/default/secrets'
    const body = { metadata: { name: 's' }, stringData: { password: secret } }
    assert.equal((await ask(url, secrets, { token, body })).status, 201)
    const headers = { 'content-type': 'application/merge-patch+json', cookie: `session=${secret}` }
    await ask(url, `${secrets}/s`, { token, method: 'PATCH', headers, body: { stringData: { more: secret } } })
    await ask(url, secrets, { token })
    await ask(url, `${secrets}/s?access_token=${secret}`, { token })
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await ask(url, accounts, { token, body: { metadata: { name: 'a' } } })
    const issued = await ask(url, `${accounts}/a/token`, {
      token,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    })
    assert.equal(issued.status, 201)
    const { length } = await stop()
    assert.equal(length, 13)
    const text = readFileSync(file, 'utf8')
    const base64 = Buffer.from(secret).toString('base64')
    for (const hidden of [secret, base64, token, plane.adminToken, issued.body.status.token])
      assert.ok(!text.includes(hidden), `${hidden} is in the recording`)
    await plane.reset()
    assert.match((await replay(file)).stdout, /^6 requests: 0 differ/m)
  })

  it('watches are recorded as their events, and end', async () => {
    const { url, token, stop, file } = await record()
    const ended = new AbortController()
    const watching = fetchLines(`${url}${configMaps}?watch=true`, token, ended.signal)
    await watching.head
    assert.equal((await plane.fetch(configMaps, { method: 'POST', body: '{"metadata":{"name":"seen"}}' })).status, 201)
    await eventually(() => readFileSync(file, 'utf8').includes('"seen"'), 'the event')
    ended.abort()
    await eventually(() => readFileSync(file, 'utf8').includes('"type":"end"'), 'the end')
    const events = (await stop()).filter(({ type }) => type === 'event')
    const seen = events.find(({ outline }) => (outline as { name?: string }).name === 'seen')
    assert.equal(seen?.['event'], 'ADDED')
    assert.match((await replay(file)).stdout, /^1 requests: 0 differ, 0 not played\n$/)
  })

  it('events of a watch about what the recording writes are compared, in their order by object', async () => {
    const { url, token, stop, file } = await record()
    const ended = new AbortController()
    const watching = fetchLines(`${url}${configMaps}?watch=true`, token, ended.signal)
    await watching.head
    for (const name of ['one', 'two'])
      assert.equal((await ask(url, configMaps, { token, body: { metadata: { name } } })).status, 201)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await ask(url, `${configMaps}/one`, { token, method: 'PATCH', headers, body: { data: { a: 'b' } } })
    assert.equal((await ask(url, `${configMaps}/one`, { token, method: 'DELETE' })).status, 200)
    await eventually(() => readFileSync(file, 'utf8').includes('"DELETED"'), 'the event')
    ended.abort()
    await eventually(() => readFileSync(file, 'utf8').includes('"type":"end"'), 'the end')
    await stop()
    await plane.reset()
    assert.equal((await replay(file)).stdout, '5 requests: 0 differ, 0 not played\n')
    // "two" is still there, and a patch fails: the object is not changed between.
    plane.faults.add({ verbs: ['patch'], resource: 'configmaps', fault: { kind: 'error', code: 500 }, count: 1 })
    const { code, stdout } = await replay(file)
    assert.equal(code, 2)
    assert.match(stdout, /GET \S+ +200 +200, events of default\/one: ADDED DELETED, not ADDED MODIFIED DELETED\n/)
    assert.match(stdout, /\n5 requests: 3 differ, 0 not played\n$/)
  })

  it('a client without the token of the recorder is refused', async () => {
    const { url, stop } = await record()
    for (const token of [undefined, 'wrong', plane.adminToken]) {
      const { status, body } = await ask(url, '/api', { token })
      assert.deepEqual([status, body.reason], [401, 'Unauthorized'])
    }
    assert.equal((await stop()).length, 1)
  })

  it('a full recording says so, and requests go on', async () => {
    const { url, token, stop, file } = await record('--max-file-size=2Ki', '--max-body-size=1Ki')
    const large = { metadata: { name: 'large' }, data: { a: 'x'.repeat(2000) } }
    assert.equal((await ask(url, configMaps, { token, body: large })).status, 201)
    for (let index = 0; index < 30; index++) assert.equal((await ask(url, '/api', { token })).status, 200)
    const lines = await stop()
    assert.match(String(lines[1]?.['omitted']), /^20\d\d bytes$/)
    assert.equal(lines.at(-1)?.['type'], 'truncated')
    assert.ok(statSync(file).size <= 2048)
    assert.match((await replay(file)).stdout, /1 not played; the recording is not complete\n$/)
  })

  for (const [line, message] of [
    [['record'], /^pilothouse: must specify --out\n$/],
    [['record', '--out=/dev/null/x'], /^pilothouse: --(out|kubeconfig): /],
    [['record', '--out=x', '--listen=0.0.0.0:80'], /^pilothouse: --listen: "0\.0\.0\.0:80" is no loopback address/],
    [['replay'], /^pilothouse: must specify a recording\n$/],
    [['replay', 'x'], /^pilothouse: must specify --kubeconfig\n$/],
    [['replay', 'x', '--kubeconfig=y', '--speed=fast'], /^pilothouse: --speed: /],
    [['replay', '/nowhere', '--kubeconfig=y'], /^pilothouse: \/nowhere: ENOENT/],
  ] as const)
    it(`refuses ${line.join(' ')}`, async () => {
      const { code, stderr } = await runProgram(program, line)
      assert.equal(code, 1)
      assert.match(stderr, message)
    })

  it('a session of kubectl with terminals and protobuf plays to an empty control plane', async function () {
    const kubectl = await findKubectl()
    if (kubectl === undefined) return this.skip()
    const { kubeconfig, stop, file, url, token } = await record()
    const ctl = (...line: string[]): Promise<unknown> => run(kubectl, [`--kubeconfig=${kubeconfig}`, ...line])
    const manifest = join(folder.path, 'manifest.yaml')
    writeFileSync(manifest, `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: ${secret}}\n`)
    await ctl('apply', '-f', manifest)
    await ctl('apply', '--server-side', '--force-conflicts', '-f', manifest)
    await ctl('create', 'configmap', 'c', '--from-literal=a=b')
    await ctl('label', 'configmap', 'c', 'x=y')
    await ctl('get', 'configmaps')
    await assert.rejects(ctl('exec', 'none', '--', 'ls'))
    await ctl('delete', 'configmap', 'c', '--wait=false')
    const accept = 'application/vnd.kubernetes.protobuf'
    const bytes = await ask(url, `${configMaps}?limit=5`, { token, headers: { accept } })
    assert.equal(bytes.status, 200)
    const lines = await stop()
    const answers = lines.filter(({ type }) => type === 'answer')
    assert.equal((answers.at(-1)?.['outline'] as { kind?: string } | undefined)?.kind, 'ConfigMapList')
    assert.ok(!readFileSync(file, 'utf8').includes(secret))
    await plane.reset()
    const { code, stdout } = await replay(file)
    assert.equal(code, 0, stdout)
  })
})

/** A watch whose head has been answered. */
function fetchLines(url: string, token: string, signal: AbortSignal): { readonly head: Promise<void> } {
  const head = import('node:https').then(
    ({ get }) =>
      new Promise<void>((resolve, reject) => {
        const request = get(url, {
          rejectUnauthorized: false,
          agent: false,
          headers: { authorization: `Bearer ${token}` },
        })
        request.once('response', (response) => {
          response.on('error', () => {})
          response.resume()
          resolve()
        })
        request.once('error', reject)
        signal.addEventListener('abort', () => request.destroy())
      }),
  )
  return { head }
}
