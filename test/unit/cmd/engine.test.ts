import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { engineFlags } from '../../../cmd/engine.ts'

const engineModule = pathToFileURL(join(import.meta.dirname, '../../../cmd/engine.ts')).href

describe('settings of the engine', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-engine-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** The settings and the environment with which a main file of this name runs once it has replaced itself. */
  function run(name: string, options: object): { flags: string[]; environment: Record<string, string> } {
    const main = join(folder, name)
    writeFileSync(
      main,
      `const { replaceableMain, runWithSettings } = await import(${JSON.stringify(engineModule)})
const main = replaceableMain()
if (main !== undefined) runWithSettings('controller-manager', main, ${JSON.stringify(options)})
console.log(JSON.stringify({ flags: process.execArgv, environment: process.env }))`,
    )
    const { PILOTHOUSE_ENGINE: _mark, NODE_COMPILE_CACHE: _cache, NODE_OPTIONS: _options, ...env } = process.env
    const { stdout, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
    assert.equal(stderr, '')
    return JSON.parse(stdout) as ReturnType<typeof run>
  }

  it('a server runs with every compiler and with the cache of compiled code', () => {
    const { flags, environment } = run('server.mjs', {})
    assert.deepEqual(flags, engineFlags())
    assert.ok(!flags.includes('--no-turbofan'))
    assert.equal(environment['MALLOC_ARENA_MAX'], '2')
    assert.equal(environment['MALLOC_MMAP_THRESHOLD_'], undefined)
    assert.match(environment['NODE_COMPILE_CACHE'] ?? '', /\.cache\/pilothouse$/)
  })

  it('a bundle that mostly waits runs with little memory and without the cache of compiled code', () => {
    const { flags, environment } = run('waits.mjs', { youngMiB: 4, isFrugal: true })
    assert.ok(flags.includes('--no-turbofan') && flags.includes('--max-semi-space-size=4'))
    assert.equal(environment['MALLOC_ARENA_MAX'], '1')
    assert.equal(environment['MALLOC_MMAP_THRESHOLD_'], '32768')
    assert.equal(environment['NODE_COMPILE_CACHE'], undefined)
    assert.equal(environment['NODE_DISABLE_COMPILE_CACHE'], '1')
  })

  it('sources that mostly wait run with the cache of compiled code', () => {
    const { environment } = run('waits.ts', { isFrugal: true })
    assert.match(environment['NODE_COMPILE_CACHE'] ?? '', /\.cache\/pilothouse$/)
    assert.equal(environment['NODE_DISABLE_COMPILE_CACHE'], undefined)
  })
})
