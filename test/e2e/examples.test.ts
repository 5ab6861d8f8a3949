import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { binaryOfClone } from '../../hack/binary.ts'
import { cacheFolder } from '../../hack/debian.ts'
import { findGo, findPythonPackages } from '../../hack/languages.ts'
import { findKubectl } from '../../hack/programs.ts'
import { scratchFolder } from '../support/apiserver.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, '../../examples')
/** Debian's packages are for its own Python. */
const python = '/usr/bin/python3'
const fixtureLinesMax = 15
const scriptLinesMax = 10

describe('the examples', function () {
  this.timeout(280_000)
  const scratch = scratchFolder('examples')
  const home = join(scratch.path, 'home')
  let path: string
  before(async () => {
    const bin = join(scratch.path, 'bin')
    for (const folder of [bin, home]) mkdirSync(folder)
    symlinkSync(await binaryOfClone(), join(bin, 'pilothouse'))
    path = `${bin}:${process.env['PATH'] ?? ''}`
  })
  after(() => scratch.remove())

  /** A copy, as tools write beside their sources. */
  function copyOf(name: string): string {
    const folder = join(scratch.path, name)
    mkdirSync(folder)
    for (const file of readdirSync(join(examples, name))) copyFileSync(join(examples, name, file), join(folder, file))
    return folder
  }

  const linesOf = (file: string): string[] =>
    readFileSync(join(examples, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')

  it(`shell: kubectl asks a control plane of its own, in ${scriptLinesMax} lines`, async function () {
    const kubectl = await findKubectl()
    if (kubectl === undefined) return this.skip()
    assert.ok(linesOf('shell/test.sh').filter((line) => !line.startsWith('#')).length <= scriptLinesMax)
    const env = { PATH: `${path}:${dirname(kubectl)}`, HOME: home, TMPDIR: home }
    const { stdout } = await run('sh', ['test.sh'], { cwd: copyOf('shell'), env })
    assert.match(stdout, /^configmap\/settings created\nok\n$/)
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith('tmp.')),
      [],
    )
  })

  it(`python: a pytest fixture of ${fixtureLinesMax} lines`, async function () {
    const packages = findPythonPackages(python)
    if (packages === undefined) return this.skip()
    assert.ok(linesOf('python/conftest.py').length <= fixtureLinesMax)
    const env = { PATH: path, HOME: home, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', TMPDIR: home }
    const { stdout } = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: copyOf('python'),
      env,
    })
    assert.match(stdout, /^3 passed/m)
  })

  it('go: the programs of envtest, by their flags', async function () {
    const go = findGo()
    if (go === undefined) return this.skip()
    const env = {
      PATH: path,
      HOME: home,
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      // Kept for the next run: the standard library takes half a minute of CPU to compile.
      GOCACHE: join(cacheFolder(), 'gocache'),
      CGO_ENABLED: '0',
    }
    const { stdout: assets } = await run('pilothouse', ['envtest'], { env })
    const asked = { ...env, KUBEBUILDER_ASSETS: assets.trim() }
    const { stdout } = await run(go, ['test', '-count=1', '-v', './...'], { cwd: copyOf('go'), env: asked })
    assert.match(stdout, /^--- PASS: TestConfigMapIsReadBack/m)
  })
})
