import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSnapshot } from '../../../../cmd/snapshot/make.ts'
import { findSnapshot, mayUseSnapshot, type SnapshotPlace } from '../../../../cmd/snapshot/place.ts'
import { scratchFolder } from '../../../support/apiserver.ts'

describe('the snapshot of a program', () => {
  let scratch: ReturnType<typeof scratchFolder>
  let place: SnapshotPlace
  beforeEach(() => {
    scratch = scratchFolder('snapshot')
    const folder = join(scratch.path, 'snapshots')
    place = {
      script: join(scratch.path, 'none.cjs'),
      maker: join(scratch.path, 'maker.cjs'),
      folder,
      note: join(folder, 'note.json'),
      madeFor: 'this Node',
    }
  })
  afterEach(() => scratch.remove())

  function note(contents: object): string {
    mkdirSync(place.folder, { recursive: true })
    writeFileSync(place.note, JSON.stringify({ madeFor: place.madeFor, file: 'a.blob', bytes: 4, ...contents }))
    const path = join(place.folder, 'a.blob')
    writeFileSync(path, 'blob')
    return path
  }

  it('is used where it was made for this program, Node and settings', () => {
    assert.equal(findSnapshot(place), undefined)
    const path = note({})
    assert.equal(findSnapshot(place), path)
    assert.equal(findSnapshot({ ...place, madeFor: 'another Node' }), undefined)
  })

  it('is not used when it is cut, or its note is', () => {
    truncateSync(note({}), 3)
    assert.equal(findSnapshot(place), undefined)
    note({})
    truncateSync(place.note, 9)
    assert.equal(findSnapshot(place), undefined)
  })

  it('is not tried again after it could not be made', async () => {
    writeFileSync(place.maker, 'process.exit(1)')
    const left = join(place.folder, 'made-old')
    mkdirSync(left, { recursive: true })
    utimesSync(left, 0, 0)
    for (const name of ['1', '2', '3']) {
      writeFileSync(join(place.folder, `${name}.blob`), name)
      utimesSync(join(place.folder, `${name}.blob`), Number(name), Number(name))
    }
    await makeSnapshot(place, [], { main: 'main.js', version: 'v' })
    assert.equal(findSnapshot(place), null)
    assert.equal(existsSync(left), false)
    assert.deepEqual(readdirSync(place.folder).sort(), ['2.blob', '3.blob', 'note.json'])
  })

  it('is left alone once a process that ran it has died young, and not by one that ends or is still young', () => {
    const path = note({})
    const young = join(place.folder, 'young-4711')
    writeFileSync(young, '')
    assert.equal(findSnapshot(place), path)
    const minuteAgo = Date.now() / 1000 - 60
    utimesSync(young, minuteAgo, minuteAgo)
    assert.equal(findSnapshot(place), null)
    assert.equal(existsSync(young), false)
    assert.equal(findSnapshot(place), null)
    const module = JSON.stringify(join(import.meta.dirname, '../../../../cmd/snapshot/youngprocess.ts'))
    const run = (end: string): string[] => {
      const program = `import(${module}).then(({ noteYouth }) => { noteYouth(${JSON.stringify(place.folder)}); ${end} })`
      spawnSync(process.execPath, ['-e', program])
      return readdirSync(place.folder).filter((name) => name.startsWith('young-'))
    }
    assert.deepEqual(run('process.exit(1)'), [])
    assert.equal(run('process.abort()').length, 1)
  })

  it('is made by one process at a time', async () => {
    mkdirSync(join(place.folder, 'made-other'), { recursive: true })
    await makeSnapshot(place, [], { main: 'main.js', version: 'v' })
    assert.equal(findSnapshot(place), undefined)
    assert.deepEqual(readdirSync(place.folder), ['made-other'])
  })

  it('leaves nothing behind where its maker ends meanwhile: the next one makes it', () => {
    writeFileSync(place.maker, `setInterval(() => require('node:fs').writeFileSync(process.argv[3], ''), 1)`)
    const module = JSON.stringify(join(import.meta.dirname, '../../../../cmd/snapshot/make.ts'))
    const { status } = spawnSync(process.execPath, [
      '-e',
      `setTimeout(() => process.exit(0), 300)
       import(${module}).then(({ makeSnapshot }) => makeSnapshot(${JSON.stringify(place)}, [], { main: '', version: '' }))`,
    ])
    assert.equal(status, 0)
    assert.deepEqual(readdirSync(place.folder), [])
  })

  it('is not made of a program that prints another version', async () => {
    writeFileSync(
      place.maker,
      `const { startupSnapshot } = require('node:v8')
       if (startupSnapshot.isBuildingSnapshot())
         startupSnapshot.setDeserializeMainFunction(() => process.stdout.write('v1'))`,
    )
    await makeSnapshot(place, [], { main: 'main.js', version: 'v2' })
    assert.equal(findSnapshot(place), null)
  })

  it('holds nothing of the environment', async () => {
    writeFileSync(
      place.maker,
      `const { startupSnapshot } = require('node:v8')
       globalThis.kept = { ...process.env }
       if (startupSnapshot.isBuildingSnapshot())
         startupSnapshot.setDeserializeMainFunction(() => process.stdout.write('v1'))`,
    )
    const secret = 'password-of-a-proxy'
    process.env['SNAPSHOT_TEST_PROXY'] = secret
    await makeSnapshot(place, [], { main: 'main.js', version: 'v1' })
    delete process.env['SNAPSHOT_TEST_PROXY']
    assert.ok(!readFileSync(findSnapshot(place) ?? 'none').includes(secret))
  })

  it('serves programs of the API without settings of Node, in one process, and API servers where it is asked for', () => {
    assert.equal(mayUseSnapshot('apiserver', ['main.js', '--data-dir=a'], process.execArgv), false)
    assert.equal(mayUseSnapshot('pilothouse', ['main.js', 'up'], process.execArgv), true)
    process.env['PILOTHOUSE_SNAPSHOT'] = '1'
    assert.equal(mayUseSnapshot('apiserver', ['main.js', '--data-dir=a'], process.execArgv), true)
    assert.equal(mayUseSnapshot('apiserver', ['main.js', '--processes=2'], process.execArgv), false)
    process.env['PILOTHOUSE_SNAPSHOT'] = '0'
    assert.equal(mayUseSnapshot('pilothouse', ['main.js', 'up'], process.execArgv), false)
    delete process.env['PILOTHOUSE_SNAPSHOT']
    assert.equal(mayUseSnapshot('controller-manager', ['main.js'], process.execArgv), false)
    assert.equal(mayUseSnapshot('pilothouse', ['main.js', 'up'], [...process.execArgv, '--inspect']), false)
    const { NODE_OPTIONS: own } = process.env
    process.env['NODE_OPTIONS'] = '--require=first.js'
    assert.equal(mayUseSnapshot('pilothouse', ['main.js', 'up'], process.execArgv), false)
    if (own === undefined) delete process.env['NODE_OPTIONS']
    else process.env['NODE_OPTIONS'] = own
  })
})
