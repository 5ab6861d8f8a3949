import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptCodeMax, loadCompiledScript } from '../../../cmd/compiledscript.ts'
import { scratchFolder } from '../../support/apiserver.ts'

/** `called` is compiled when it is called. */
const text = `(function (exports, require, module, __filename, __dirname, __url) {
  function called(a) { return a + 1 }
  exports.called = called
  exports.own = require('own:name')
  exports.join = require('node:path').join
  exports.places = [__filename, __dirname, __url]
})`

interface Exports {
  called(a: number): number
  readonly own: string
  readonly places: readonly string[]
}

describe('a script whose compiled code is kept', () => {
  let folder: ReturnType<typeof scratchFolder>
  let code: string
  let loads = 0
  beforeEach(() => {
    folder = scratchFolder('script')
    code = join(folder.path, 'kept', 'code')
  })
  afterEach(() => folder.remove())

  /** A file of its own each time: V8 has what this process compiled from the same one. */
  function load(of = text): { script: ReturnType<typeof loadCompiledScript>; exports: Exports; file: string } {
    const file = join(folder.path, `script${loads++}.cjs`)
    writeFileSync(file, of)
    const script = loadCompiledScript(file, code, () => ({ 'own:name': 'mine' }))
    return { script, exports: script.exports as Exports, file }
  }

  it('runs as it is where nothing is kept, with its own modules, packages and places', () => {
    const { script, exports, file } = load()
    assert.equal(script.isCompiled, false)
    assert.equal(exports.called(1), 2)
    assert.equal(exports.own, 'mine')
    assert.deepEqual(exports.places, [file, folder.path, `file://${file}`])
  })

  it('is compiled at its next load, once it was saved', () => {
    const { script } = load()
    script.save()
    assert.equal(statSync(code).mode & 0o777, 0o600)
    assert.equal(statSync(join(folder.path, 'kept')).mode & 0o777, 0o700)
    const { script: again, exports } = load()
    assert.equal(again.isCompiled, true)
    assert.equal(exports.called(1), 2)
    const { mtimeMs } = statSync(code)
    again.save()
    assert.equal(statSync(code).mtimeMs, mtimeMs)
  })

  it('keeps functions that were called before it was saved, which a load does not compile', () => {
    load().script.save()
    const uncalled = readFileSync(code).length
    writeFileSync(code, 'damaged')
    const { script, exports } = load()
    exports.called(1)
    script.save()
    assert.ok(
      readFileSync(code).length > uncalled,
      `${readFileSync(code).length} bytes, ${uncalled} without the function`,
    )
  })

  it('runs with damaged code, cut code and code of another text, and replaces them', () => {
    load().script.save()
    const good = readFileSync(code)
    const flipped = Buffer.from(good)
    flipped[flipped.length >> 1] = 255 - (good[good.length >> 1] ?? 0)
    for (const bad of [Buffer.alloc(0), Buffer.from('no code'), good.subarray(0, good.length / 2), flipped]) {
      writeFileSync(code, bad)
      const { script, exports } = load()
      assert.equal(script.isCompiled, false)
      assert.equal(exports.called(1), 2)
      script.save()
      assert.equal(load().script.isCompiled, true)
    }
    const { script, exports } = load(text.replace('a + 1', 'a + 1000'))
    assert.equal(script.isCompiled, false)
    assert.equal(exports.called(1), 1001)
  })

  it('runs where its code can not be kept', () => {
    writeFileSync(join(folder.path, 'kept'), 'a file, no folder')
    const { script, exports, file } = load()
    script.save()
    assert.equal(exports.called(1), 2)
    assert.equal(loadCompiledScript(file, undefined, () => ({ 'own:name': 1 })).isCompiled, false)
  })

  it(`removes the oldest code when there are more than ${keptCodeMax}, and leaves no file of its own behind`, () => {
    load().script.save()
    const kept = join(folder.path, 'kept')
    for (let index = 0; index < keptCodeMax; index++) {
      writeFileSync(join(kept, `old${index}`), '')
      utimesSync(join(kept, `old${index}`), index, index)
    }
    writeFileSync(code, 'damaged')
    load().script.save()
    const names = readdirSync(kept)
    assert.equal(names.length, keptCodeMax)
    assert.ok(names.includes('code') && !names.includes('old0'), names.join(' '))
  })
})
