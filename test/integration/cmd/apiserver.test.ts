import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { programVersion } from '../../../cmd/apiserver/build.ts'
import { configure } from '../../../cmd/apiserver/configure.ts'
import { configureObserving } from '../../../cmd/apiserver/configureobserving.ts'
import { apiserverFlags } from '../../../cmd/apiserver/flags.ts'
import { checkFlags, checkServerFlags } from '../../../cmd/apiserver/rules.ts'
import { processEnvironment } from '../../../cmd/processenvironment.ts'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { composeApiserver, describeFailure } from '../../../lib/controlplane/index.ts'
import { parseFlags } from '../../../lib/flags/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { request, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { freePort } from '../../support/ports.ts'
import { runProgram, spawnProgram } from '../../support/program.ts'
import { assertRecorded } from '../../support/recorded.ts'

const program = 'cmd/apiserver/main.ts'
const facts = join(import.meta.dirname, '../../../../shared/facts/apiserver_flags.tsv')

describe('apiserver: the command line', () => {
  it('lists its flags by group in help, and exits with 0', async () => {
    const { code, stdout, stderr } = await runProgram(program, ['--help'])
    assert.deepEqual([code, stderr], [0, ''])
    for (const part of ['Usage:', 'Secure serving flags:', '--secure-port int', '(default 6443)', '--data-dir string'])
      assert.equal(stdout.includes(part), true, part)
  })

  it('has every flag of the stock server @recorded', () => {
    const known = new Set(Object.values(apiserverFlags).flatMap((group) => Object.keys(group)))
    const rows = existsSync(facts) ? readFileSync(facts, 'utf8').trim().split('\n').slice(1) : []
    const names = rows.map((row) => (row.split('\t')[0] ?? '').replace(/\(.*/, ''))
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    )
    assertRecorded(
      'apiserverflags',
      [...known].toSorted().map((name) => [name, true]),
    )
  })

  it('prints its version', async () => {
    const { code, stdout } = await runProgram(program, ['--version'])
    assert.equal(code, 0)
    assert.match(stdout, /^Pilothouse v1\.36\.\d+\+pilothouse\.\d+\.\d+\.\d+\n$/)
  })

  const memory = '--storage-backend=memory'
  /** One line of each kind: of those that the flags alone, a file or the store refuses. */
  const refusedByProgram: [string[], string][] = [
    [['--secure-prot=1'], 'unknown flag: --secure-prot (did you mean --secure-port?)'],
    [[memory, 'extra'], 'unexpected argument: extra'],
    [[], 'no store: set --etcd-servers, or --data-dir for an embedded one, or --storage-backend=memory'],
    [[memory, '--token-auth-file=/nowhere'], "--token-auth-file: can't read /nowhere: no such file or folder"],
    [['--data-dir=/dev/null/x', '--secure-port=16443'], "the embedded store in /dev/null/x can't be used: "],
    [
      [memory, '--show-hidden-metrics-for-version=1.20'],
      "--show-hidden-metrics-for-version must be omitted or have the value '1.35'.",
    ],
    [[memory, '--show-hidden-metrics-for-version=x'], '--show-hidden-metrics-for-version must be omitted or'],
  ]
  const refused: [string[], string][] = [
    [[memory, '--etcd-servers=http://a:1'], '--storage-backend=memory and --etcd-servers exclude each other'],
    [['--storage-backend=etcd3'], '--storage-backend=etcd3 needs --etcd-servers'],
    [['--storage-backend=embedded'], '--storage-backend=embedded needs --data-dir'],
    [[memory, '--storage-versions=a/b/c'], '--storage-versions: "a/b/c" is no version such as apps/v1'],
    [[memory, '--storage-versions=apps/v1,batch/v9'], '--storage-versions: unknown: batch/v9'],
    [
      [memory, '--storage-media-type=application/cbor'],
      '--storage-media-type=application/cbor needs --feature-gates=CBORServingAndStorage=true',
    ],
    [['--storage-backend=paper'], '--storage-backend: "paper" is none of etcd3, embedded, memory'],
    [['--etcd-servers=https://root:secret@etcd:2379'], '--etcd-servers: an address holds no user and password'],
    [['--etcd-servers=etcd:2379'], '--etcd-servers: "etcd:2379" is not of the form https://host:port or unix://path'],
    [[memory, '--etcd-servers-overrides=/events#http://a:1'], '--etcd-servers-overrides needs --etcd-servers'],
    [
      ['--etcd-servers=http://a:1', '--etcd-servers-overrides=events#http://b:1'],
      '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
    ],
    [
      ['--etcd-servers=http://a:1', '--etcd-servers-overrides=/events#http://b:1;c:1'],
      '--etcd-servers-overrides: "c:1" is not of the form https://host:port or unix://path',
    ],
    [['--etcd-servers=http://a:1', '--etcd-certfile=x'], '--etcd-certfile needs --etcd-keyfile'],
    [
      ['--etcd-servers=https://a:1', '--etcd-cafile=/nowhere'],
      "--etcd-cafile: can't read /nowhere: no such file or folder",
    ],
    [[memory, '--tls-private-key-file=x'], '--tls-private-key-file needs --tls-cert-file'],
    [
      [memory, '--authorization-mode=RABC'],
      '--authorization-mode: "RABC" is none of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node',
    ],
    [
      [memory, '--encryption-provider-config=/none'],
      '--encryption-provider-config: error while parsing file: error while loading file: error reading encryption provider configuration file "/none": no such file or folder',
    ],
    [
      [memory, '--encryption-provider-config-automatic-reload'],
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    ],
    [
      [memory, '--secure-port=0'],
      '--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
    ],
    [
      [memory, '--max-requests-inflight=0', '--max-mutating-requests-inflight=0'],
      'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
    ],
    [
      [memory, '--service-account-issuer=https://a.example', '--api-audiences=https://a.example'],
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
    ],
    [
      [memory, '--service-account-signing-endpoint=@signer', '--service-account-key-file=/k'],
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    ],
    [
      [memory, '--service-account-signing-endpoint=signer.sock'],
      'invalid value "signer.sock" passed for `--service-account-signing-endpoint`, should be a valid location on the filesystem or must be prefixed with @ to name UDS in abstract namespace',
    ],
    [
      [
        memory,
        '--emulated-version=1.33',
        '--service-account-signing-endpoint=@signer',
        '--service-account-issuer=https://a.example',
        '--api-audiences=https://a.example',
      ],
      'setting `--service-account-signing-endpoint` requires enabling ExternalServiceAccountTokenSigner feature gate',
    ],
    [[memory, '--emulated-version=1.20'], '--emulated-version: emulation version 1.20 is not between [1.33, 1.36.0]'],
    [
      [memory, '--emulation-forward-compatible'],
      'ServerRunOptions.EmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
    ],
    [
      [memory, '--emulated-version=1.36', '--runtime-config-emulation-forward-compatible'],
      'ServerRunOptions.RuntimeConfigEmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
    ],
    [
      [memory, '--emulated-version=1.33', '--runtime-config=resource.k8s.io/v1=true', '--secure-port=16443'],
      'cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33.',
    ],
    [[memory, '--feature-gates=Nope=true'], '--feature-gates: unrecognized feature gate: Nope'],
    [['--etcd-servers=http://a:1', '--etcd-prefix=//'], '--etcd-prefix must name a path below the root'],
    [[memory, '--runtime-config=api/al=true', '--secure-port=16443'], '--runtime-config: unknown: api/al'],
    [[memory, '--runtime-config=api/all=F'], '--runtime-config: with only api/all=false nothing would be served'],
    [[memory, '--runtime-config=api/all=no'], '--runtime-config: api/all=no is neither true nor false'],
    [[memory, '--enable-admission-plugins=Nope'], '--enable-admission-plugins: plugin "Nope" is unknown'],
    [[memory, '--admission-control=Nope'], '--admission-control: plugin "Nope" is unknown'],
    [[memory, '--disable-admission-plugins=Nope'], '--disable-admission-plugins: plugin "Nope" is unknown'],
    [
      [memory, '--enable-admission-plugins=ImagePolicyWebhook', '--secure-port=16443'],
      '--enable-admission-plugins: ImagePolicyWebhook needs a configuration in --admission-control-config-file',
    ],
    [
      [memory, '--tls-cert-file=/nowhere', '--tls-private-key-file=/nowhere'],
      "the serving certificate can't be used: /nowhere: no such file or folder",
    ],
    [
      [memory, '--tls-cert-file=/dev/null', '--tls-private-key-file=/dev/null'],
      "the serving certificate can't be used: /dev/null: it holds no certificate in PEM",
    ],
    [[memory, '--client-ca-file=/nowhere'], '--client-ca-file: /nowhere: no such file or folder'],
    [
      [memory, '--client-ca-file=/dev/null'],
      '--client-ca-file: /dev/null: the bundle of certificate authorities holds no certificate',
    ],
    [[memory, '--tls-min-version=TLS9'], '--tls-min-version: unknown tls version "TLS9"'],
    [[memory, '--goaway-chance=1'], '--goaway-chance can not be less than 0 or greater than 0.02'],
    [
      [memory, '--cert-dir=/dev/null/x'],
      "--cert-dir: can't keep a certificate in /dev/null/x: a part of the path is no folder",
    ],
    [
      [memory, '--cors-allowed-origins=^https://(a$'],
      '--cors-allowed-origins has an invalid regular expression: error parsing regexp: missing closing ): `^https://(a$`',
    ],
    [
      [memory, '--cors-allowed-origins=example.com'],
      '--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header',
    ],
    [
      [memory, '--strict-transport-security-directives=max-age=5,includeSubdomains'],
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload.',
    ],
    [
      [memory, '--endpoint-reconciler-type=leases'],
      '--endpoint-reconciler-type: "leases" is none of lease, master-count, none',
    ],
    [
      [memory, '--kubernetes-service-node-port=80'],
      '--kubernetes-service-node-port=80 is not in --service-node-port-range=30000-32767',
    ],
    [
      [memory, '--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24'],
      '--service-cluster-ip-range takes one range, or one of each family',
    ],
    [
      [memory, '--service-cluster-ip-range=10.0.0.0/24,fd00::/126'],
      '--service-cluster-ip-range: a range must have at least 8 IP addresses',
    ],
    [
      [memory, '--service-cluster-ip-range=10.0.0.0'],
      '--service-cluster-ip-range: "10.0.0.0" is not a range of addresses',
    ],
    [
      ['--etcd-servers=http://127.0.0.1:1', '--storage-initialization-timeout=300ms', '--secure-port=16443'],
      "etcd at http://127.0.0.1:1 can't be reached: no answer within 300ms",
    ],
  ]
  let folder: ReturnType<typeof scratchFolder>
  before(() => {
    folder = scratchFolder('flags')
  })
  after(() => folder.remove())

  const withFolder = (line: readonly string[]): string[] => {
    const hasDir = line.some((word) => word.startsWith('--cert-dir'))
    return hasDir ? [...line] : [`--cert-dir=${join(folder.path, 'certs')}`, ...line]
  }

  for (const [line, message] of refusedByProgram)
    it(`refuses ${line.join(' ') || 'an empty line'} with one line and exit code 1`, async () => {
      const { code, stdout, stderr } = await runProgram(program, withFolder(line), { cwd: folder.path })
      assert.deepEqual([code, stdout], [1, ''])
      const lines = stderr.trimEnd().split('\n')
      assert.equal(lines.length, 1, stderr)
      assert.equal(stderr.startsWith(`pilothouse-apiserver: ${message}`), true, stderr)
    })

  /** As the program does it, in this process. */
  async function start(line: readonly string[]): Promise<void> {
    const parsed = parseFlags(apiserverFlags, line)
    checkFlags(parsed)
    checkServerFlags(parsed)
    await configureObserving(parsed.values)
    const services = { clock: systemClock, random: systemRandom }
    const config = await configure(parsed.values, services, programVersion, parsed.given)
    const beside = { ...processEnvironment, ...services, log: silentLogger, metrics: createMetrics() }
    const server = await composeApiserver(config, beside)
    await server.stop()
  }

  for (const [line, message] of refused)
    it(`refuses ${line.join(' ')} with one line`, async () => {
      await assert.rejects(start(withFolder(line)), (error) => {
        const said = describeFailure(error)
        assert.ok(said.startsWith(message) && !said.includes('\n'), said)
        return true
      })
    })

  it('reports that its port is in use', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    try {
      const line = [memory, `--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${folder.path}/certs`]
      const { code, stderr } = await runProgram(program, line)
      const message = `pilothouse-apiserver: can't listen on 127.0.0.1, port ${port}: the address is in use\n`
      assert.deepEqual([code, stderr], [1, message])
    } finally {
      await new Promise((resolve) => taken.close(resolve))
    }
  })
})

describe('apiserver: its life', () => {
  let folder: ReturnType<typeof scratchFolder>
  beforeEach(() => {
    folder = scratchFolder('apiserver')
  })
  afterEach(() => folder.remove())

  it('is ready with the system namespaces, and exits with 0 on SIGTERM', async () => {
    const server = await startServer(program, ['--storage-backend=memory'], folder.path)
    const { body } = await request(server, '/api/v1/namespaces')
    const { items } = JSON.parse(body) as { items: { metadata: { name: string } }[] }
    const names = items.map(({ metadata }) => metadata.name)
    assert.deepEqual(names, ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
    assert.equal(await server.stop(), 0)
    assert.match(server.output(), /"stopping" signal="SIGTERM"[\s\S]*"stopped"\n$/)
  })

  it('warns about flags that are deprecated or have no effect here', async () => {
    const flags = ['--storage-backend=memory', '--watch-cache=false', '--apiserver-count=3', '--logging-format=json']
    const server = await startServer(program, [...flags, '--feature-gates=SidecarContainers=true'], folder.path)
    await server.stop()
    const lines = server.output().trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    assert.deepEqual(messages.slice(0, 3), [
      '--watch-cache has no effect: reads and watches are always served from memory, and are as fresh as those of the store',
      '--apiserver-count is deprecated: replicas find each other',
      'feature gate SidecarContainers=true is generally available and will be removed in a later release',
    ])
  })

  it('authenticates users by token and by client certificate, and nobody else', async () => {
    const services = { clock: systemClock, random: systemRandom }
    const authority = createAuthority(services, { commonName: 'clients' })
    const authorityFile = join(folder.path, 'clients.crt')
    writeFileSync(authorityFile, authority.certificate)
    const flags = ['--storage-backend=memory', `--client-ca-file=${authorityFile}`]
    const server = await startServer(program, flags, folder.path)
    try {
      const jane = authority.issue({ commonName: 'jane', usage: 'client' })
      const forged = createAuthority(services, { commonName: 'clients' }).issue({ commonName: 'jane', usage: 'client' })
      const asked = async (pair?: { certificate: string; key: string }): Promise<number> =>
        (await requestWith(server.port, pair)).status
      assert.deepEqual([await asked(), await asked(jane), await asked(forged)], [401, 200, 401])
      assert.equal((await request(server, '/api', { token: 'wrong' })).status, 401)
      assert.equal((await request(server, '/api')).status, 200)
    } finally {
      await server.stop()
    }
  })

  it('answers 403 to anonymous requests where nothing is allowed to them', async () => {
    const flags = ['--storage-backend=memory', '--authorization-mode=AlwaysDeny']
    const server = await startServer(program, flags, folder.path)
    try {
      const { status, body } = await request(server, '/api/v1/pods', { token: undefined })
      const { message } = JSON.parse(body) as { message: string }
      const expected =
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope: Everything is forbidden.'
      assert.deepEqual([status, message], [403, expected])
      assert.equal((await request(server, '/api/v1/pods')).status, 200)
    } finally {
      await server.stop()
    }
  })

  it('refuses a --cert-dir with one file of a pair', async () => {
    const certificate = join(folder.path, 'half', 'apiserver.crt')
    mkdirSync(join(folder.path, 'half'))
    writeFileSync(certificate, 'half a pair')
    const { code, stderr } = await runProgram(program, ['--storage-backend=memory', `--cert-dir=${folder.path}/half`])
    const message =
      `error creating self-signed certificates: error reading ${folder.path}/half/apiserver.key, ` +
      'certificate and key must be supplied as a pair'
    assert.deepEqual([code, stderr], [1, `pilothouse-apiserver: ${message}\n`])
    assert.equal(readFileSync(certificate, 'utf8'), 'half a pair')
  })

  it('keeps its data and its certificate over a restart', async () => {
    const flags = [`--data-dir=${folder.path}/data`, `--cert-dir=${folder.path}/kept`]
    const first = await startServer(program, flags, folder.path)
    const created = await request(first, '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      body: '{"metadata":{"name":"kept"},"data":{"a":"b"}}',
    })
    assert.equal(created.status, 201)
    await first.kill()
    const second = await startServer(program, flags, folder.path)
    const read = await request(second, '/api/v1/namespaces/default/configmaps/kept')
    assert.equal(read.body, created.body)
    assert.equal(await second.stop(), 0)
  })

  it('shows metrics of the process, the gates and the build in the requested format', async () => {
    const server = await startServer(program, ['--storage-backend=memory'], folder.path)
    try {
      const text = await request(server, '/metrics')
      assert.match(String(text.headers['content-type']), /^text\/plain; version=0\.0\.4/)
      for (const line of [
        /^kubernetes_feature_enabled\{name="WatchList",stage="BETA"\} 1$/m,
        /^kubernetes_feature_enabled\{name="GenericWorkload",stage="ALPHA"\} 0$/m,
        /^kubernetes_build_info\{.*git_version="v1\.36/m,
        /^process_start_time_seconds [\d.e+]+$/m,
        /^authentication_attempts\{result="success"\} \d+$/m,
      ])
        assert.match(text.body, line)
      assert.doesNotMatch(text.body, /test-admin-token/)
      const open = await request(server, '/metrics', { headers: { accept: 'application/openmetrics-text' } })
      assert.match(String(open.headers['content-type']), /^application\/openmetrics-text; version=1\.0\.0/)
    } finally {
      await server.stop()
    }
  })

  for (const endpoint of ['http://127.0.0.1:1', 'unix:///nowhere/etcd.sock'])
    it(`exits with 0 on SIGTERM while it waits for its store at ${endpoint}`, async () => {
      const flags = [`--etcd-servers=${endpoint}`, '--secure-port=16443', `--cert-dir=${folder.path}/certs`]
      const child = spawnProgram(program, flags)
      await child.says(new RegExp(`waiting for etcd at ${endpoint}"`))
      child.process.kill('SIGTERM')
      assert.equal(await child.exited, 0)
    })

  it('exits at once at a second signal', async () => {
    const server = await startServer(
      program,
      ['--storage-backend=memory', '--shutdown-delay-duration=30s'],
      folder.path,
    )
    const exited = new Promise<number | null>((resolve) => server.process.once('exit', resolve))
    server.process.kill('SIGTERM')
    await eventuallyEquals(async () => (await request(server, '/readyz')).status, 500, 'the stop has begun')
    // What comes sooner passes for the echo of the first.
    await new Promise((resolve) => setTimeout(resolve, 400))
    server.process.kill('SIGTERM')
    assert.equal(await exited, 1)
  })
})

async function requestWith(
  port: number,
  pair: { certificate: string; key: string } | undefined,
): Promise<{ status: number }> {
  const { default: https } = await import('node:https')
  return await new Promise((resolve, reject) => {
    const call = https.get(
      {
        host: '127.0.0.1',
        port,
        path: '/api',
        agent: false,
        rejectUnauthorized: false,
        ...(pair && { cert: pair.certificate, key: pair.key }),
      },
      (answer) => {
        answer.resume()
        resolve({ status: answer.statusCode ?? 0 })
      },
    )
    call.on('error', reject)
  })
}
