import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { request, scratchFolder } from '../support/apiserver.ts'
import { endWithUs } from '../support/child.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'node_modules', '.bin')
const run = promisify(execFile)
const treeBytesMax = 60 * 1024 * 1024
const blockBytes = 4096

const plain = `
import { startControlPlane } from 'pilothouse'
const plane = await startControlPlane()
const answer = await plane.fetch('/api/v1/namespaces/default')
console.log(answer.status, (await answer.json()).metadata.name)
// Too large to be read in the event loop: a worker of the package reads it.
const lines = Array.from({ length: 20_000 }, (_, i) => '  key' + i + ': value')
const body = 'metadata:\\n  name: large\\ndata:\\n' + lines.join('\\n')
const headers = { 'content-type': 'application/yaml' }
const made = await plane.fetch('/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body })
console.log(made.status)
await plane.stop()
`

const nodeTest = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startControlPlane } from 'pilothouse'
test('a config map', async () => {
  await using plane = await startControlPlane()
  const path = '/api/v1/namespaces/default/configmaps'
  const made = await plane.fetch(path, { method: 'POST', body: JSON.stringify({ metadata: { name: 'one' } }) })
  assert.equal(made.status, 201)
  await plane.reset()
  assert.equal((await plane.fetch(path + '/one')).status, 404)
})
`

const mochaTest = `
import assert from 'node:assert/strict'
import { type ControlPlane, type ControlPlaneOptions, resources, startControlPlane } from 'pilothouse'
describe('a control plane', () => {
  const options: ControlPlaneOptions = { storage: 'memory', featureGates: { WatchList: true } }
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane(options)
  })
  after(() => plane.stop())
  it('has the namespace default', async () => {
    const answer: Response = await plane.fetch('/api/v1/namespaces/default')
    assert.equal(answer.status, 200)
  })
  it('has a client with types', async () => {
    const { items } = await plane.client.resource(resources.core.v1.namespaces).list()
    const phases: (string | undefined)[] = items.map((namespace) => namespace.status?.phase)
    assert.ok(phases.includes('Active'))
  })
  it('has types', () => {
    // @ts-expect-error: there is no such storage
    void (() => startControlPlane({ storage: 'nowhere' }))
    // @ts-expect-error: there is no such field
    void plane.adress
    const url: string = plane.url
    assert.match(url, /^https:/)
  })
})
`

describe('the package', function () {
  this.timeout(240_000)
  const folder = scratchFolder('package')
  const project = join(folder.path, 'project')
  const installed = join(project, 'node_modules', 'pilothouse')

  before(async () => {
    mkdirSync(project)
    write('package.json', JSON.stringify({ private: true, type: 'module' }))
    const { stdout } = await run('npm', ['pack', '--silent', `--pack-destination=${folder.path}`], { cwd: root })
    const archive = join(folder.path, stdout.trim().split('\n').at(-1) ?? '')
    try {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', archive], {
        cwd: project,
        timeout: 120_000,
      })
    } catch (error) {
      if (process.env['CI']) throw error
      await unpackBesideOwnDependencies(archive)
    }
  })
  after(() => folder.remove())

  function write(name: string, text: string): string {
    writeFileSync(join(project, name), text)
    return name
  }

  /** Where no registry can be reached: the dependencies are those of this clone. */
  async function unpackBesideOwnDependencies(archive: string): Promise<void> {
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    for (const name of Object.keys(dependencies)) link(name)
  }

  function link(name: string): void {
    const target = join(project, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    if (!existsSync(target)) symlinkSync(join(root, 'node_modules', name), target)
  }

  async function node(...line: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, line, { cwd: project, timeout: 60_000 })
    return stdout
  }

  it('takes 60 MB of a disk at most with its dependencies, and contains no Node, no types and no other client of etcd', () => {
    const binaries = readdirSync(join(project, 'node_modules', '.bin'), { encoding: 'utf8' })
    assert.ok(!binaries.includes('node'))
    const unwanted = ['node', '@types', 'etcd3', '@grpc'].filter((name) =>
      existsSync(join(project, 'node_modules', name)),
    )
    assert.deepEqual(unwanted, [])
    const bytes = treeBytes(join(project, 'node_modules'))
    assert.ok(bytes < treeBytesMax, `${bytes} bytes`)
  })

  it('contains the programs and their documents only: no tests, no sources', () => {
    assert.deepEqual(
      readdirSync(installed)
        .filter((name) => name !== 'node_modules')
        .sort(),
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'deploy', 'dist', 'docs', 'package.json'],
    )
  })

  it('works in a plain script', async () => {
    assert.equal(await node(write('plain.js', plain)), '200 default\n201\n')
  })

  it('works in node:test', async () => {
    assert.match(await node('--test', '--test-reporter=tap', write('one.test.js', nodeTest)), /^# pass 1$/m)
  })

  it('works in mocha with TypeScript', async () => {
    assert.match(await node(join(bin, 'mocha'), write('plane.spec.ts', mochaTest)), /3 passing/)
  })

  it('runs the test of an operator in README and the recipes of docs/testing.md, as they are there', async () => {
    const program = join(installed, 'dist', 'cmd', 'pilothouse', 'main.js')
    for (const [page, folder] of examplePages) {
      mkdirSync(join(project, folder))
      for (const [name, text] of filesIn(page)) write(join(folder, name), text)
    }
    const widgets = join(project, 'recipes', 'widgets')
    await node(program, 'types', '--crd', `${widgets}.yaml`, '--out', `${widgets}.ts`)
    assert.match(await node(join(bin, 'mocha'), '--timeout=30000', '{readme,recipes}/*.test.ts'), /5 passing/)
  })

  it('has types that need no skipLibCheck', async () => {
    // Whoever writes TypeScript for Node has its types.
    for (const name of ['@types/mocha', '@types/node', 'undici-types']) link(name)
    write('plane.spec.ts', mochaTest)
    write('gadgets.ts', readFileSync(join(root, 'test', 'golden', 'types', 'gadgets.ts.txt'), 'utf8'))
    const compilerOptions = {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
      module: 'nodenext',
      types: ['mocha'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      allowImportingTsExtensions: true,
    }
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, include: ['plane.spec.ts', 'readme/*.ts', 'recipes/*.ts', 'gadgets.ts'] }),
    )
    await run(join(bin, 'tsc'), ['-p', project], { cwd: project }).catch((error: Error & { stdout?: string }) =>
      assert.fail(error.stdout ?? error.message),
    )
  })

  it('has programs', async () => {
    const program = join(installed, 'dist', 'cmd', 'pilothouse', 'main.js')
    assert.match(await node(program, 'version'), /^Pilothouse v1\.36\./)
  })

  it('starts from a snapshot that its first start made, and does there what it does otherwise', async () => {
    const snapshots = join(project, 'node_modules', '.cache', 'pilothouse', 'snapshots')
    const first = await up()
    assert.doesNotMatch(first.words, /snapshot-blob/)
    while (!existsSync(snapshots) || !readdirSync(snapshots).some((name) => name.endsWith('.json'))) {
      hurryChildren(first.pid)
      await sleep(200)
    }
    assert.equal(await first.stop(), 0)
    const [blob = 'no snapshot'] = readdirSync(snapshots).filter((name) => name.endsWith('.blob'))
    assert.equal(lstatSync(join(snapshots, blob)).mode & 0o777, 0o600)
    const second = await up()
    assert.ok(second.words.includes(join(snapshots, blob)), second.words)
    // A process in the place of a thread reads it.
    const lines = Array.from({ length: 20_000 }, (_, i) => `  key${i}: value`)
    const made = await request(second, '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      body: `metadata:\n  name: large\ndata:\n${lines.join('\n')}`,
      headers: { 'content-type': 'application/yaml' },
      token: second.token,
    })
    assert.equal(made.status, 201, made.body)
    const { body: metrics } = await request(second, '/metrics', { token: second.token })
    const [, startedSeconds] = /^process_start_time_seconds (\S+)$/m.exec(metrics) ?? []
    assert.ok(Math.abs(Number(startedSeconds) - second.startedMs / 1000) < 10, `${startedSeconds} s`)
    assert.equal(await second.stop(), 0)
  })

  async function up(): Promise<{
    url: string
    token: string
    pid: number
    words: string
    startedMs: number
    stop(): Promise<unknown>
  }> {
    const program = join(installed, 'dist', 'cmd', 'pilothouse', 'main.js')
    const data = join(folder.path, 'plane')
    // Machines of CI make no snapshots.
    const env = { ...process.env, CI: '', NODE_OPTIONS: '' }
    const startedMs = Date.now()
    const line = [program, 'up', `--data-dir=${data}`, '--bind-address=127.0.0.1', '--secure-port=0']
    const child = spawn(process.execPath, line, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    endWithUs(child)
    let output = ''
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk)
        if (output.includes('export KUBECONFIG=')) ready.resolve()
      })
    const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
      ready.reject(new Error(output))
      return code
    })
    await ready.promise
    const [, token = ''] = /token: (\S+)/.exec(readFileSync(join(data, 'admin.kubeconfig'), 'utf8')) ?? []
    const [, url = ''] = /url="([^"]+)"/.exec(output) ?? []
    const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { url, token, pid: child.pid ?? 0, words, startedMs, stop: () => (child.kill('SIGTERM'), ended) }
  }
})

/** Processes of the lowest priority wait for minutes beside other suites. */
function hurryChildren(pid: number): void {
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' '))
    try {
      if (child !== '') setPriority(Number(child), 0)
    } catch {
      // It has ended, or the user may not raise priorities.
    }
}

const examplePages = [
  ['README.md', 'readme'],
  ['docs/testing.md', 'recipes'],
] as const

/** The files that a page shows, by their names: blocks such as `ts file=operator.ts`. */
function filesIn(page: string): (readonly [name: string, text: string])[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)
  return Array.from(blocks, ([, name = '', text = '']) => [name, text])
}

/** As `du` counts: whole blocks, folders too. Links count as what they are: small. */
function treeBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, entry) => sum + (entry.isSymbolicLink() ? 0 : Math.ceil(entry.size / blockBytes) * blockBytes), 0)
}
