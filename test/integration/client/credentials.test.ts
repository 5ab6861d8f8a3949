import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type Clock, createFakeClock, systemClock, systemRandom } from '../../../lib/base/index.ts'
import {
  createEndpointClient,
  type EndpointClient,
  type EndpointClientOptions,
  outputBytesMax,
  readKubeconfig,
  runMsMax,
} from '../../../lib/client/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'

const group = 'client.authentication.k8s.io'

describe('client: credentials of a kubeconfig', () => {
  let folder: ReturnType<typeof scratchFolder>
  let server: Server
  let url: string
  /** Authorization headers of the requests so far. */
  let seen: string[]
  /** What the server takes; '': everything. */
  let accepted: string
  beforeEach(async () => {
    folder = scratchFolder('credentials')
    seen = []
    accepted = ''
    server = createServer((request, response) => {
      const { authorization = '' } = request.headers
      seen.push(authorization)
      response.statusCode = accepted === '' || authorization === accepted ? 200 : 401
      request.resume().on('end', () => response.end('{}'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    folder.remove()
  })

  const kubeconfig = (user: object, cluster: object = {}): string =>
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: url, ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    })

  async function withClient(
    text: string,
    run: (client: EndpointClient) => Promise<void>,
    { clock = systemClock, ...options }: EndpointClientOptions & { clock?: Clock } = {},
  ): Promise<void> {
    const environment = { PATH: process.env['PATH'], INHERITED: 'yes' }
    const endpoint = await readKubeconfig({ clock, environment }, text, folder.path)
    const client = createEndpointClient({ clock: systemClock }, endpoint, options)
    try {
      await run(client)
    } finally {
      client.close()
    }
  }

  for (const [user, cluster, why] of [
    [{ as: 'root' }, {}, 'users with as are not supported here'],
    [{ 'as-groups': ['system:masters'] }, {}, 'users with as-groups are not supported here'],
    [{ 'auth-provider': { name: 'gcp' } }, {}, 'users with auth-provider are not supported here'],
    [{ 'client-key': 'k' }, {}, 'the user has only one of client certificate and key'],
    [{}, { 'proxy-url': 'http://proxy' }, 'clusters with proxy-url are not supported here'],
    [{}, { server: 'ftp://x' }, 'the cluster has no server, http or https'],
  ] as const)
    it(`are refused where ${why}`, () =>
      assert.rejects(
        withClient(kubeconfig(user, cluster), async () => {}),
        { message: why },
      ))

  it('are sent in requests, whose attempts are counted one by one', async () => {
    const metrics = createMetrics()
    const endpoint = { url, authorization: 'Bearer one' }
    const client = createEndpointClient({ clock: systemClock, metrics }, endpoint)
    try {
      accepted = 'Bearer one'
      const size = (await client.post('{"a":1}')).body.length
      accepted = 'Bearer two'
      await client.get()
      await assert.rejects(client.get('http://127.0.0.1:1/'), { name: 'RequestError' })
      const { host } = new URL(url)
      const lines = [
        `rest_client_requests_total{code="200",host="${host}",method="POST"} 1`,
        `rest_client_requests_total{code="401",host="${host}",method="GET"} 1`,
        'rest_client_requests_total{code="<error>",host="127.0.0.1:1",method="GET"} 1',
        `rest_client_request_duration_seconds_count{host="${host}",verb="POST"} 1`,
        `rest_client_request_size_bytes_sum{host="${host}",verb="POST"} 7`,
        `rest_client_response_size_bytes_sum{host="${host}",verb="POST"} ${size}`,
      ]
      let text = ''
      await eventually(async () => {
        text = (await metrics.exposition()).body
        return lines.every((line) => text.includes(`\n${line}\n`))
      }, lines.join('\n')).catch((error: unknown) => assert.fail(`${String(error)}\n${text}`))
    } finally {
      client.close()
    }
  })

  describe('a file with a token', () => {
    it('is reread after a minute', async () => {
      const clock = createFakeClock()
      const file = join(folder.path, 'token')
      writeFileSync(file, 'one\n')
      await withClient(
        kubeconfig({ tokenFile: 'token' }),
        async (client) => {
          await client.get()
          writeFileSync(file, 'two\n')
          await client.get()
          clock.advance(60_000)
          await client.get()
        },
        { clock },
      )
      assert.deepEqual(seen, ['Bearer one', 'Bearer one', 'Bearer two'])
    })

    it('is reread when the server refuses the token, and the request is sent once more', async () => {
      const file = join(folder.path, 'token')
      writeFileSync(file, 'one')
      accepted = 'Bearer two'
      await withClient(kubeconfig({ tokenFile: file }), async (client) => {
        assert.equal((await client.post('{}')).status, 401)
        writeFileSync(file, 'two')
        assert.equal((await client.post('{}')).status, 200)
      })
      assert.deepEqual(seen, ['Bearer one', 'Bearer one', 'Bearer two'])
    })

    it('a token file that does not exist is reported at once', () =>
      assert.rejects(
        withClient(kubeconfig({ tokenFile: 'nope' }), async () => {}),
        /ENOENT/,
      ))
  })

  it('a renewed certificate is sent on new connections', async () => {
    const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'ca' })
    const serving = authority.issue({ commonName: 'server', usage: 'server', names: ['127.0.0.1'] })
    const names: string[] = []
    const secure = https.createServer(
      { cert: serving.certificate, key: serving.key, ca: authority.certificate, requestCert: true },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        names.push(String(subject?.CN))
        response.end('{}')
      },
    )
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`
    const write = (commonName: string): void => {
      const { certificate, key } = authority.issue({ commonName, usage: 'client' })
      writeFileSync(join(folder.path, 'client.crt'), certificate)
      writeFileSync(join(folder.path, 'client.key'), key)
    }
    write('first')
    const clock = createFakeClock()
    const data = Buffer.from(authority.certificate).toString('base64')
    const text = kubeconfig(
      { 'client-certificate': 'client.crt', 'client-key': 'client.key' },
      { 'certificate-authority-data': data },
    )
    try {
      await withClient(
        text,
        async (client) => {
          await client.get()
          write('second')
          await client.get()
          clock.advance(60_000)
          await client.get()
        },
        { clock },
      )
      assert.deepEqual(names, ['first', 'first', 'second'])
    } finally {
      secure.closeAllConnections()
      await new Promise((resolve) => secure.close(resolve))
    }
  })

  describe('a program', () => {
    /** Writes a program that runs `body` with `run`, its number of runs so far, and answers its user. */
    function program(body: string, more: object = {}): object {
      const path = join(folder.path, 'plugin.cjs')
      const count = join(folder.path, 'runs')
      writeFileSync(
        path,
        `#!${process.execPath}
const fs = require('node:fs')
const run = (fs.existsSync(${JSON.stringify(count)}) ? Number(fs.readFileSync(${JSON.stringify(count)})) : 0) + 1
fs.writeFileSync(${JSON.stringify(count)}, String(run))
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
const answer = (status) => console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }))
${body}
`,
      )
      chmodSync(path, 0o700)
      return { exec: { apiVersion: `${group}/v1`, command: './plugin.cjs', interactiveMode: 'Never', ...more } }
    }
    const runs = (): number =>
      existsSync(join(folder.path, 'runs')) ? Number(readFileSync(join(folder.path, 'runs'), 'utf8')) : 0
    const get = (user: object, options: EndpointClientOptions & { clock?: Clock } = {}, cluster: object = {}) =>
      withClient(kubeconfig(user, cluster), async (client) => void (await client.get()), options)

    it('gets its arguments, its variables beside ours, and no terminal', async () => {
      const user = program(
        `answer({ token: [process.argv.slice(2), process.env.OWN, process.env.INHERITED, info.spec.interactive, info.kind, fs.readFileSync(0).length].join(' ') })`,
        { args: ['a', 'b c'], env: [{ name: 'OWN', value: 'mine' }] },
      )
      await get(user)
      assert.deepEqual(seen, ['Bearer a,b c mine yes false ExecCredential 0'])
    })

    for (const version of ['v1', 'v1beta1'])
      it(`speaks ${version}`, async () => {
        await get(program(`answer({ token: info.apiVersion })`, { apiVersion: `${group}/${version}` }))
        assert.deepEqual(seen, [`Bearer ${group}/${version}`])
      })

    it('gets the cluster only where the kubeconfig provides it', async () => {
      const body = `answer({ token: Buffer.from(JSON.stringify(info.spec.cluster ?? null)).toString('base64') })`
      const extension = { name: `${group}/exec`, extension: { audience: 'x' } }
      const cluster = { 'tls-server-name': 'n', extensions: [extension], 'certificate-authority-data': 'UEVN' }
      await get(program(body, { provideClusterInfo: true }), {}, cluster)
      await get(program(body), {}, cluster)
      const told = seen.map((header) => JSON.parse(Buffer.from(header.slice(7), 'base64').toString()) as unknown)
      const config = { audience: 'x' }
      const expected = { server: url, 'tls-server-name': 'n', 'certificate-authority-data': 'UEVN', config }
      assert.deepEqual(told, [expected, null])
    })

    it('runs once for concurrent requests, and not again while its credentials are valid', async () => {
      await withClient(kubeconfig(program(`setTimeout(() => answer({ token: 't' + run }), 50)`)), async (client) => {
        await Promise.all([client.get(), client.get(), client.get()])
        await client.get()
      })
      assert.deepEqual([runs(), new Set(seen)], [1, new Set(['Bearer t1'])])
    })

    it('runs again when its credentials have expired', async () => {
      const clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'))
      const user = program(`answer({ token: 't' + run, expirationTimestamp: '2026-01-01T00:10:00Z' })`)
      await withClient(
        kubeconfig(user),
        async (client) => {
          await client.get()
          clock.advance(9 * 60_000)
          await client.get()
          clock.advance(60_000)
          await client.get()
        },
        { clock },
      )
      assert.deepEqual(seen, ['Bearer t1', 'Bearer t1', 'Bearer t2'])
    })

    it('runs again when the server refuses its credentials, but not for each refusal', async () => {
      const clock = createFakeClock()
      accepted = 'Bearer t3'
      await withClient(
        kubeconfig(program(`answer({ token: 't' + run })`)),
        async (client) => {
          assert.equal((await client.get()).status, 401)
          assert.equal(runs(), 1)
          clock.advance(1000)
          assert.equal((await client.get()).status, 401)
          clock.advance(1000)
          assert.equal((await client.get()).status, 200)
        },
        { clock },
      )
      assert.equal(runs(), 3)
      assert.deepEqual(
        seen,
        ['t1', 't1', 't2', 't2', 't3'].map((token) => `Bearer ${token}`),
      )
    })

    for (const [title, body, why] of [
      ['prints no JSON', `console.log('top secret')`, 'exec plugin printed no JSON object'],
      ['prints another kind', `console.log('{"kind":"Pod"}')`, 'exec plugin returned an object of kind "Pod"'],
      [
        'answers in another version',
        `console.log(JSON.stringify({ apiVersion: '${group}/v1beta1', kind: 'ExecCredential', status: { token: 'x' } }))`,
        `exec plugin is configured to use API version ${group}/v1, plugin returned version ${group}/v1beta1`,
      ],
      ['has no status', `answer(undefined)`, "exec plugin didn't return a status field"],
      ['has no credentials', `answer({})`, "exec plugin didn't return a token or cert/key pair"],
      ['has half a pair', `answer({ clientKeyData: 'k' })`, 'exec plugin returned only certificate or key, not both'],
      [
        'has a time that is none',
        `answer({ token: 'top secret', expirationTimestamp: 'soon' })`,
        'exec plugin returned an expirationTimestamp that is no time',
      ],
      ['fails', `console.log('top secret'); process.exit(3)`, /executable \S+plugin\.cjs failed with exit code 3$/],
      [
        'prints without end',
        `const more = () => process.stdout.write('x'.repeat(65536), more); process.stdout.on('error', () => process.exit()); more()`,
        new RegExp(`printed more than ${outputBytesMax} bytes$`),
      ],
    ] as const)
      it(`a program that ${title} is an error that shows no secret`, () =>
        assert.rejects(get(program(body)), (error: Error) => {
          const prefix = `Get "${url}": getting credentials: `
          if (typeof why === 'string') assert.equal(error.message, prefix + why)
          else assert.match(error.message, why)
          assert.doesNotMatch(error.message, /secret/)
          return true
        }))

    it('a missing program is an error with the hint of the kubeconfig’s author', () =>
      assert.rejects(
        get({
          exec: {
            apiVersion: `${group}/v1`,
            command: 'no-such-program',
            interactiveMode: 'IfAvailable',
            installHint: 'Get it\n  at example.com.',
          },
        }),
        /getting credentials: exec: executable no-such-program not found: Get it at example\.com\.$/,
      ))

    it('a program that hangs neither delays a request beyond its timeout nor lives forever', async () => {
      const clock = createFakeClock()
      const pidFile = join(folder.path, 'pid')
      const body = `fs.writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`
      await assert.rejects(get(program(body), { clock, timeoutMs: 1500 }), /: context deadline exceeded$/)
      const written = (): string => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '')
      await eventually(() => written() !== '', 'the program')
      const pid = Number(written())
      assert.equal(isAlive(pid), true)
      clock.advance(runMsMax)
      await eventually(() => !isAlive(pid), 'its end')
    })

    for (const [title, exec, why] of [
      ['no command', { command: '' }, 'command must be specified to use exec authentication plugin'],
      ['no version', { apiVersion: '' }, 'apiVersion must be specified to use exec authentication plugin'],
      ['an unknown version', { apiVersion: `${group}/v2` }, `exec plugin: invalid apiVersion "${group}/v2"`],
      ['no mode in v1', { interactiveMode: '' }, 'interactiveMode must be specified to use exec authentication plugin'],
      ['an unknown mode', { interactiveMode: 'Sometimes' }, 'invalid interactiveMode: "Sometimes"'],
      [
        'a terminal',
        { interactiveMode: 'Always' },
        'exec plugin cannot support interactive mode: nobody is at a terminal',
      ],
      [
        'a variable without a name',
        { env: [{ value: 'x' }] },
        'env variable name must be specified to use exec authentication plugin',
      ],
    ] as const)
      it(`a program with ${title} is refused`, () => assert.rejects(get(program('', exec)), { message: why }))

    it('a program beside a token is refused', () =>
      assert.rejects(get({ ...program(''), token: 'x' }), /more than one authentication method found/))
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
