import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureFolder } from '../../../lib/base/index.ts'

describe('ensureFolder', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'pilothouse-folder-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('creates all parents, and leaves existing folders unchanged', () => {
    const path = join(root, 'a', 'b', 'c')
    ensureFolder(path, 0o700)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    ensureFolder(path, 0o755)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    symlinkSync(path, join(root, 'link'))
    ensureFolder(join(root, 'link', 'd'), 0o700)
    assert.equal(statSync(join(path, 'd')).isDirectory(), true)
    ensureFolder('/', 0o700)
  })

  it('names what is in the way', () => {
    writeFileSync(join(root, 'file'), '')
    assert.throws(() => ensureFolder(join(root, 'file'), 0o700), { code: 'EEXIST' })
    assert.throws(() => ensureFolder(join(root, 'file', 'x'), 0o700), { code: 'ENOTDIR' })
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    assert.throws(() => ensureFolder(join(root, 'dangling', 'x'), 0o700))
    if (process.platform === 'linux') assert.throws(() => ensureFolder('/proc/1/x/y', 0o700), { code: 'ENOENT' })
  })
})
