import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binaryOfClone } from '../../hack/binary.ts'
import { buildPackage, unitOfPackage } from '../../hack/debianpackage.ts'
import { scratchFolder } from '../support/apiserver.ts'

const run = (program: string, ...line: string[]): SpawnSyncReturns<string> =>
  spawnSync(program, line, { encoding: 'utf8' })

describe('the Debian package', function () {
  this.timeout(300_000)
  const scratch = scratchFolder('debian')
  let binary: string
  let built: string
  before(async function () {
    if (run('dpkg-deb', '--version').status !== 0) return this.skip()
    binary = await binaryOfClone()
    built = buildPackage({ binary, folder: join(scratch.path, 'first'), level: 1 })
  })
  after(() => scratch.remove())

  const ok = (program: string, ...line: string[]): string => {
    const { status, stdout, stderr } = run(program, ...line)
    assert.equal(status, 0, `${program} ${line.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }

  it('has the same bytes whenever it is built of the same files', () => {
    const again = buildPackage({ binary, folder: join(scratch.path, 'second'), level: 1 })
    const [first, second] = [built, again].map((path) => createHash('sha256').update(readFileSync(path)).digest('hex'))
    assert.equal(first, second)
  })

  it('belongs to root, is writable by nobody else, and has the binary once', () => {
    const rows = ok('dpkg-deb', '--contents', built)
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/\s+/))
    for (const [mode = '', owner, , , , path = ''] of rows) {
      assert.equal(owner, 'root/root', path)
      assert.match(mode, /^(l|.r.xr-xr-x|.rwxr-xr-x|.rw-r--r--)/, path)
    }
    const links = rows.filter(([mode]) => mode?.startsWith('l')).map(([, , , , , path, , target]) => [path, target])
    assert.deepEqual(links, [
      ['./usr/bin/pilothouse-apiserver', 'pilothouse'],
      ['./usr/bin/pilothouse-controller-manager', 'pilothouse'],
      ['./usr/bin/pilothouse-scheduler', 'pilothouse'],
    ])
  })

  it('units that start something else are refused', () => {
    assert.throws(() => unitOfPackage('[Service]\nExecStart=/bin/true\n'), /starts no program of the project/)
  })

  describe('in a root of its own', () => {
    const root = join(scratch.path, 'root')
    const at = (path: string): string => join(root, path)
    const env = at('etc/pilothouse/pilothouse.env')
    const dpkg = (...line: string[]): string =>
      ok('dpkg', `--root=${root}`, '--force-script-chrootless', '--force-depends', '--log=/dev/null', ...line)
    const state = (): string =>
      run('dpkg-query', `--admindir=${at('var/lib/dpkg')}`, '--show', '--showformat=${Status} ${Version}', 'pilothouse')
        .stdout

    before(function () {
      if (process.getuid?.() !== 0) return this.skip()
      for (const folder of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'etc'])
        mkdirSync(at(folder), { recursive: true })
      writeFileSync(at('var/lib/dpkg/status'), '')
    })

    it('is installed with its user, its units and a program that runs', () => {
      dpkg('--install', built)
      assert.match(state(), /^install ok installed /)
      assert.match(ok(at('usr/bin/pilothouse'), '--version'), /^Pilothouse v/)
      assert.match(ok(at('usr/bin/pilothouse-scheduler'), '--help'), /^Gives the pods/)
      if (run('systemd-sysusers', '--version').status === 0) {
        assert.match(readFileSync(at('etc/passwd'), 'utf8'), /^pilothouse:/m)
        assert.doesNotMatch(readFileSync(at('etc/passwd'), 'utf8'), /^etcd:/m)
      }
      assert.ok(!existsSync(at('etc/systemd')), 'a unit was enabled')
    })

    it('has units that systemd understands, and that start it', function () {
      if (run('systemd-analyze', '--version').status !== 0) return this.skip()
      const units = at('usr/lib/systemd/system')
      const copies = join(scratch.path, 'units')
      mkdirSync(copies)
      const files = readdirSync(units).map((name) => {
        const text = readFileSync(join(units, name), 'utf8')
        assert.match(text, /^ExecStart=\/usr\/bin\/pilothouse /m)
        assert.doesNotMatch(text, /node_modules|NODE_COMPILE_CACHE|\/opt\//)
        const path = join(copies, name)
        writeFileSync(path, text.replace('/usr/bin/pilothouse', at('usr/bin/pilothouse')))
        return path
      })
      assert.deepEqual(
        files.map((path) => path.slice(copies.length + 1)).toSorted(),
        ['-apiserver', '-controller-manager', '-scheduler', ''].map((name) => `pilothouse${name}.service`),
      )
      assert.equal(ok('systemd-analyze', 'verify', ...files), '')
    })

    it('an upgrade keeps what the operator has written', () => {
      appendFileSync(env, 'PILOTHOUSE_FLAGS=--v=2\n')
      const newer = buildPackage({ binary, folder: join(scratch.path, 'newer'), version: '9.9.9', level: 1 })
      dpkg('--install', newer)
      assert.match(state(), / 9\.9\.9$/)
      assert.match(readFileSync(env, 'utf8'), /^PILOTHOUSE_FLAGS=--v=2$/m)
    })

    it('a removal leaves configuration and data, a purge only data', () => {
      const data = at('var/lib/pilothouse/store')
      mkdirSync(data, { recursive: true })
      dpkg('--remove', 'pilothouse')
      assert.match(state(), /^deinstall ok config-files /)
      assert.ok(!existsSync(at('usr/bin/pilothouse')) && existsSync(env))
      dpkg('--purge', 'pilothouse')
      assert.ok(!existsSync(env))
      assert.deepEqual(existsSync(at('usr')) ? readdirSync(at('usr')) : [], [])
      assert.ok(existsSync(data))
    })
  })
})
