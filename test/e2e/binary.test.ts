import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { binaryOfClone } from '../../hack/binary.ts'
import { findKubectl } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { endWithUs } from '../support/child.ts'
import { startTestPlane } from '../support/envtest.ts'
import { eventually } from '../support/eventually.ts'

const run = promisify(execFile)
const bytesMax = 140e6
const nobody = 65534
const isRoot = process.getuid?.() === 0

interface UpOptions {
  readonly more?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
}

interface Up {
  readonly kubeconfig: string
  /** Ends it by SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>
}

describe('the binary', function () {
  this.timeout(180_000)
  const scratch = scratchFolder('binary')
  let binary: string
  before(async () => {
    binary = await binaryOfClone()
    // Other users find it there.
    chmodSync(scratch.path, 0o755)
  })
  after(() => scratch.remove())

  const output = async (program: string, ...line: string[]): Promise<string> =>
    (await run(program, line, { maxBuffer: 16e6 })).stdout

  async function up(folder: string, command: readonly string[], options: UpOptions = {}, root = ''): Promise<Up> {
    const [program = '', ...words] = command
    const { more = [], ...spawned } = options
    const child = spawn(program, [...words, 'up', `--data-dir=${folder}`, '--secure-port=0', ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...spawned,
    })
    endWithUs(child)
    let text = ''
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          text += String(chunk)
          if (text.includes('export KUBECONFIG=')) resolve()
        })
      void ended.then((code) => reject(new Error(`it ended with ${code}:\n${text}`)))
    })
    return {
      kubeconfig: join(root, folder, 'admin.kubeconfig'),
      stop() {
        child.kill('SIGTERM')
        return ended
      },
    }
  }

  it(`has at most ${bytesMax / 1e6} MB`, () => {
    assert.ok(statSync(binary).size <= bytesMax, `${statSync(binary).size}`)
  })

  it('runs the program that its first word names, and pilothouse without one', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.match(await output(binary, '--version'), new RegExp(`pilothouse\\.${version}\n$`))
    assert.match(await output(binary, 'help'), /^A Kubernetes-compatible control plane/)
    assert.match(await output(binary, 'apiserver', '--help'), /^Serves the Kubernetes API/)
    assert.match(await output(binary, 'controller-manager', '--help'), /^Runs the controllers/)
    assert.match(await output(binary, 'scheduler', '--help'), /^Gives the pods/)
    assert.match(await output(binary, 'up', '--help'), /--data-dir/)
    assert.match(await output(binary, 'pki', 'init', '--help'), /pki init/)
  })

  it('runs the program that a link to it is called after', async () => {
    for (const [name, text] of [
      ['kube-apiserver', /^Serves the Kubernetes API/],
      ['pilothouse-controller-manager', /^Runs the controllers/],
      ['anything', /^A Kubernetes-compatible control plane/],
    ] as const) {
      const link = join(scratch.path, name)
      symlinkSync(binary, link)
      assert.match(await output(link, '--help'), text)
    }
  })

  it('refuses wrong words and flags as the programs do', async () => {
    for (const [line, message] of [
      [['frob'], 'pilothouse: unknown command: frob; `pilothouse help` lists them\n'],
      [['apiserver', '--frob'], 'pilothouse-apiserver: unknown flag: --frob\n'],
    ] as const)
      await assert.rejects(run(binary, line), { code: 1, stdout: '', stderr: message })
  })

  it('serves kubectl from the embedded store, large objects in a thread, and leaves no file behind', async function () {
    const kubectl = await findKubectl()
    if (kubectl === undefined) return this.skip()
    const temporary = join(scratch.path, 'temporary')
    mkdirSync(temporary)
    const before = readdirSync('/dev/shm')
    const env = { PATH: process.env['PATH'], HOME: temporary, TMPDIR: temporary, XDG_RUNTIME_DIR: temporary }
    const plane = await up(join(scratch.path, 'plane'), [binary], { env })
    const ask = async (...line: string[]): Promise<string> =>
      await output(kubectl, `--kubeconfig=${plane.kubeconfig}`, ...line)
    assert.match(await ask('get', 'namespaces'), /kube-system +Active/)
    assert.match(await ask('create', 'configmap', 'small', '--from-literal=a=b'), /created/)
    const large = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: {} as object }
    large.data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, 'value']))
    assert.match(createFrom(kubectl, plane.kubeconfig, JSON.stringify(large)), /created/)
    assert.match(await ask('get', '--raw', '/console/'), /<div id="app">/)
    const metrics = (await ask('get', '--raw', '/metrics')).split('\n')
    const tasks = metrics.filter((line) => line.startsWith('pilothouse_large_work_tasks_total{'))
    assert.match(tasks.join('\n'), /failed="false".* [1-9]/)
    assert.deepEqual(
      readdirSync('/dev/shm').filter((name) => name.startsWith('pilothouse-') && !before.includes(name)),
      [],
    )
    assert.deepEqual(readdirSync(temporary), [])
    assert.equal(await plane.stop(), 0)
    assert.deepEqual(readdirSync(temporary), [])
  })

  it('runs the controllers of a control plane that has none', async function () {
    const kubectl = await findKubectl()
    if (kubectl === undefined) return this.skip()
    const plane = await up(join(scratch.path, 'without'), [binary], { more: ['--controllers='] })
    const ask = ['--kubeconfig', plane.kubeconfig, 'get', 'serviceaccounts', '--output=name'] as const
    assert.equal(await output(kubectl, ...ask), '')
    const line = ['controller-manager', `--kubeconfig=${plane.kubeconfig}`, '--secure-port=0']
    const manager = spawn(binary, line, { stdio: 'ignore' })
    endWithUs(manager)
    const ended = once(manager, 'exit')
    await eventually(async () => (await output(kubectl, ...ask)) === 'serviceaccount/default\n', 'the account')
    manager.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.equal(await plane.stop(), 0)
  })

  it('runs as a user without rights', async function () {
    if (!isRoot) return this.skip()
    const folder = mkdtempSync(join(scratch.path, 'nobody-'))
    chmodSync(folder, 0o777)
    const copy = join(scratch.path, 'copy')
    copyFileSync(binary, copy)
    const plane = await up(join(folder, 'plane'), [copy], { uid: nobody, gid: nobody, env: { HOME: folder } })
    assert.equal(statSync(plane.kubeconfig).uid, nobody)
    assert.equal(await plane.stop(), 0)
  })

  it('runs in an empty root with nothing but the C and C++ libraries', async function () {
    if (!isRoot) return this.skip()
    const root = mkdtempSync(join(scratch.path, 'root-'))
    for (const library of await librariesOf(binary)) {
      mkdirSync(join(root, dirname(library)), { recursive: true })
      copyFileSync(library, join(root, library))
    }
    copyFileSync(binary, join(root, 'pilothouse'))
    mkdirSync(join(root, 'tmp'))
    const plane = await up('/plane', ['chroot', root, '/pilothouse'], { env: { PATH: process.env['PATH'] } }, root)
    assert.equal(await plane.stop(), 0)
    assert.deepEqual(readdirSync(join(root, 'tmp')), [])
  })

  it('makes programs for envtest that run it', async () => {
    const assets = (await output(binary, 'envtest', join(scratch.path, 'assets'))).trim()
    assert.match(readFileSync(join(assets, 'kube-apiserver'), 'utf8'), new RegExp(`^exec '${binary}' 'envtest' `, 'm'))
    const plane = await startTestPlane(assets, mkdtempSync(join(scratch.path, 'envtest-')))
    assert.equal((await plane.ask('/api/v1/namespaces/default')).status, 200)
    const [server, etcd] = await plane.stop()
    assert.deepEqual([server.code, etcd.code], [0, 0], server.output)
  })
})

function createFrom(kubectl: string, kubeconfig: string, body: string): string {
  return execFileSync(kubectl, [`--kubeconfig=${kubeconfig}`, 'create', '-f', '-'], { input: body, encoding: 'utf8' })
}

/** Absolute paths of the shared libraries, the loader among them. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program])
  return Array.from(stdout.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path)
}
