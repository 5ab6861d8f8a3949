import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { formatKubeconfig, givesAccess } from '../../../cmd/pilothouse/kubeconfig.ts'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { endWithUs } from '../../support/child.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/ports.ts'
import { runProgram } from '../../support/program.ts'

const program = 'cmd/pilothouse/main.ts'

/** Asks as the kubeconfig says: its server, its authority, its token. */
async function ask(kubeconfig: string, path: string): Promise<number> {
  const field = (name: string): string => new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? ''
  const ca = Buffer.from(field('certificate-authority-data'), 'base64').toString()
  return await new Promise((resolve, reject) => {
    https
      .get(
        `${field('server')}${path}`,
        { ca, agent: false, headers: { authorization: `Bearer ${field('token')}` } },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        },
      )
      .on('error', reject)
  })
}

describe('pilothouse: commands', () => {
  const answers: [string[], number, RegExp, RegExp][] = [
    [['help'], 0, /^A Kubernetes-compatible control plane\.\n\nUsage:\n/, /^$/],
    [['--help'], 0, /Commands:\n {2}up /, /^$/],
    [['version'], 0, /^Pilothouse v1\.36/, /^$/],
    [['up', '--help'], 0, /--data-dir string[\s\S]*\(default\s+"\.pilothouse"\)/, /^$/],
    [['kubeconfig', '--help'], 0, /-o, --output string/, /^$/],
    [[], 1, /^$/, /Usage:/],
    [['upp'], 1, /^$/, /^pilothouse: unknown command: upp \(did you mean up\?\)\n$/],
    [['dance'], 1, /^$/, /^pilothouse: unknown command: dance; `pilothouse help` lists them\n$/],
    [['up', '--data-dri=x'], 1, /^$/, /^pilothouse: unknown flag: --data-dri \(did you mean --data-dir\?\)\n$/],
    [['up', '--data-dir='], 1, /^$/, /^pilothouse: --data-dir must name a folder\n$/],
    [
      ['up', '--data-dir=/dev/null/x'],
      1,
      /^$/,
      /^pilothouse: the data folder \/dev\/null\/x can't be used: a part of the path is no folder\n$/,
    ],
    [
      ['kubeconfig', '--data-dir=/nowhere'],
      1,
      /^$/,
      /^pilothouse: no control plane was started in \/nowhere yet: run `pilothouse up`\n$/,
    ],
  ]
  for (const [line, code, stdout, stderr] of answers)
    it(`answers ${line.join(' ') || 'nothing'} with exit code ${code}`, async () => {
      const result = await runProgram(program, line)
      assert.equal(result.code, code, result.stderr)
      assert.match(result.stdout, stdout)
      assert.match(result.stderr, stderr)
    })
})

describe('pilothouse up', () => {
  let folder: ReturnType<typeof scratchFolder>
  let server: ServerProcess | undefined
  const start = async (...flags: string[]): Promise<ServerProcess> => {
    server = await startServer(program, flags, folder.path)
    const { output } = server
    await eventually(() => output().includes('export '), 'how to use it')
    return server
  }
  beforeEach(() => {
    folder = scratchFolder('up')
  })
  afterEach(async () => {
    if (server?.process.exitCode === null) await server.kill()
    folder.remove()
  })

  it('writes a kubeconfig that works, prints how to use it, and keeps secrets readable by its owner alone', async () => {
    const { output, stop } = await start('--cert-dir=')
    const path = join(folder.path, '.pilothouse', 'admin.kubeconfig')
    assert.equal(output().includes(`export KUBECONFIG=${path}\n`), true, output())
    for (const [name, mode] of [
      ['.', 0o700],
      ['admin.kubeconfig', 0o600],
      ['admin.token', 0o600],
      ['pki/ca.key', 0o600],
      ['pki/apiserver.key', 0o600],
    ] as const)
      assert.equal(statSync(join(folder.path, '.pilothouse', name)).mode & 0o777, mode, name)
    assert.equal(await ask(readFileSync(path, 'utf8'), '/api/v1/namespaces/kube-system'), 200)
    const printed = await runProgram(program, ['kubeconfig'], { cwd: folder.path })
    assert.equal(printed.stdout, readFileSync(path, 'utf8'))
    const copied = await runProgram(program, ['kubeconfig', '-o', 'copy'], { cwd: folder.path })
    assert.equal(copied.code, 0)
    assert.equal(statSync(join(folder.path, 'copy')).mode & 0o777, 0o600)
    assert.doesNotMatch(
      output(),
      new RegExp(readFileSync(join(folder.path, '.pilothouse', 'admin.token'), 'utf8').trim()),
    )
    assert.equal(await stop(), 0)
  })

  it('keeps serving when its output is not read', async () => {
    const line = [
      join(import.meta.dirname, '../../..', program),
      'up',
      `--secure-port=${await freePort()}`,
      '--storage-backend=memory',
      '--log-flush-frequency=20ms',
    ]
    const child = spawn(process.execPath, line, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let log = ''
    child.stderr.on('data', (chunk) => (log += String(chunk)))
    const ended = new Promise((resolve) => child.once('close', resolve))
    await eventually(() => child.exitCode !== null || log.includes('the standard output is closed'), 'the failed write')
    const kubeconfig = readFileSync(join(folder.path, '.pilothouse', 'admin.kubeconfig'), 'utf8')
    assert.equal(await ask(kubeconfig, '/readyz'), 200, log)
    child.kill('SIGTERM')
    assert.equal(await ended, 0, log)
  })

  for (const [title, at, ...words] of [
    ['up', program, 'up'],
    ['the API server', 'cmd/apiserver/main.ts', '--bind-address=127.0.0.1', '--cert-dir=certificates'],
  ] as const)
    it(`${title} ends on SIGTERM when its log is not read`, async () => {
      const port = await freePort()
      const line = [
        join(import.meta.dirname, '../../..', at),
        ...words,
        `--secure-port=${port}`,
        '--storage-backend=memory',
      ]
      const child = spawn(process.execPath, line, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] })
      endWithUs(child)
      let log = ''
      child.stderr.on('data', (chunk) => (log += String(chunk)))
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await eventually(() => child.exitCode !== null || log.includes('"ready"'), 'the start')
      child.stderr.destroy()
      child.stdout.destroy()
      child.kill('SIGTERM')
      const code = await Promise.race([ended, systemClock.sleep(10_000)])
      child.kill('SIGKILL')
      assert.equal(code, 0, log)
    })

  it('keeps data, certificates and token over a restart', async () => {
    const flags = ['--data-dir=data', '--cert-dir=']
    const path = join(folder.path, 'data', 'admin.kubeconfig')
    const first = await start(...flags)
    const authority = readFileSync(path, 'utf8').replace(/server: .*/, '')
    const body = '{"metadata":{"name":"kept"}}'
    assert.equal((await request(first, '/api/v1/namespaces', { method: 'POST', body })).status, 201)
    assert.equal(await first.stop(), 0)
    await start(...flags)
    const kubeconfig = readFileSync(path, 'utf8')
    assert.equal(kubeconfig.replace(/server: .*/, ''), authority)
    assert.equal(await ask(kubeconfig, '/api/v1/namespaces/kept'), 200)
  })

  /** A pair of somebody else, and the flags that name its files. */
  const foreignPair = (): { certificate: string; key: string; files: [string, string]; authority: string } => {
    const services = { clock: systemClock, random: systemRandom }
    const authority = createAuthority(services, { commonName: 'somebody else' })
    const pair = authority.issue({ commonName: 'given', usage: 'server', names: ['127.0.0.1'] })
    const files: [string, string] = [
      join(folder.path, 'given', 'apiserver.crt'),
      join(folder.path, 'given', 'apiserver.key'),
    ]
    mkdirSync(join(folder.path, 'given'))
    writeFileSync(files[0], pair.certificate)
    writeFileSync(files[1], pair.key)
    return { ...pair, files, authority: authority.certificate }
  }

  it('serves the certificate pair in --cert-dir, and leaves it unchanged', async () => {
    const { certificate, key, files, authority } = foreignPair()
    const { url } = await start('--storage-backend=memory', `--cert-dir=${join(folder.path, 'given')}`)
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      [certificate, key],
    )
    const kubeconfig = readFileSync(join(folder.path, '.pilothouse', 'admin.kubeconfig'), 'utf8')
    assert.doesNotMatch(kubeconfig, /certificate-authority-data/)
    const trusting = `${kubeconfig}certificate-authority-data: ${Buffer.from(authority).toString('base64')}`
    assert.equal(await ask(trusting, '/readyz'), 200, url)
  })

  it('makes no certificate pair where --tls-cert-file is given', async () => {
    const { certificate, files } = foreignPair()
    const folderOf = (name: string): string[] => readdirSync(join(folder.path, name)).toSorted()
    await start(
      '--storage-backend=memory',
      `--tls-cert-file=${files[0]}`,
      `--tls-private-key-file=${files[1]}`,
      `--cert-dir=${join(folder.path, 'given')}`,
    )
    assert.equal(readFileSync(files[0], 'utf8'), certificate)
    assert.deepEqual(folderOf('given'), ['apiserver.crt', 'apiserver.key'])
    assert.deepEqual(folderOf('.pilothouse/pki'), [
      'ca.crt',
      'ca.key',
      'front-proxy-ca.crt',
      'front-proxy-ca.key',
      'sa.key',
    ])
  })

  it('refuses a data folder that another one uses, and leaves its kubeconfig alone', async () => {
    await start('--data-dir=data')
    const path = join(folder.path, 'data', 'admin.kubeconfig')
    const before = readFileSync(path, 'utf8')
    const line = ['up', '--data-dir=data', `--secure-port=${await freePort()}`]
    const { code, stderr } = await runProgram(program, line, { cwd: folder.path })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^pilothouse: the embedded store in \S+ can't be used: the data folder is in use by process \d+; .*\n$/,
    )
    assert.equal(readFileSync(path, 'utf8'), before)
  })
})

describe('the kubeconfig', () => {
  const access = { url: 'https://127.0.0.1:6443', token: 'secret', caCertificate: 'authority' }
  const written = formatKubeconfig(access)
  const { caCertificate: _, ...withoutAuthority } = access
  const rows: readonly [
    title: string,
    kubeconfig: string,
    access: Parameters<typeof givesAccess>[1],
    expected: boolean,
  ][] = [
    ['as it was written', written, access, true],
    ['with another namespace', written.replace('namespace: default', 'namespace: mine'), access, true],
    ['of another port', written, { ...access, url: 'https://127.0.0.1:64430' }, false],
    ['with another token', written, { ...access, token: 'secre' }, false],
    ['of another authority', written, { ...access, caCertificate: 'other' }, false],
    ['with an authority where none is needed', written, withoutAuthority, false],
    ['without one where none is needed', formatKubeconfig(withoutAuthority), withoutAuthority, true],
    ['without one where one is needed', formatKubeconfig(withoutAuthority), access, false],
    ['emptied', '', access, false],
  ]
  for (const [title, kubeconfig, wanted, expected] of rows)
    it(`${expected ? 'is kept' : 'is written again'}: ${title}`, () => {
      assert.equal(givesAccess(kubeconfig, wanted), expected)
    })
})
