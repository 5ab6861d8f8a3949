import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { loadAddon } from '../../../cmd/binary/addon.ts'
import { programOf } from '../../../cmd/binary/programs.ts'

describe('cmd: the programs of the binary', () => {
  for (const [called, words, name, rest] of [
    ['pilothouse', ['up', '--v=2'], 'pilothouse', ['up', '--v=2']],
    ['/usr/bin/pilothouse', ['apiserver', '--v=2'], 'apiserver', ['--v=2']],
    ['./pilothouse', ['controller-manager'], 'controller-manager', []],
    ['/opt/kube-apiserver', ['apiserver'], 'apiserver', ['apiserver']],
    ['kube-controller-manager', [], 'controller-manager', []],
    ['kube-scheduler', ['--v=2'], 'scheduler', ['--v=2']],
    ['pilothouse', [], 'pilothouse', []],
    ['pilothouse', ['constructor'], 'pilothouse', ['constructor']],
    ['', ['pilothouse', 'up'], 'pilothouse', ['pilothouse', 'up']],
  ] as const)
    it(`${JSON.stringify([called, ...words])} starts ${name}`, () => {
      assert.deepEqual(programOf(called, words), { name, words: rest })
    })
})

describe('cmd: the addon of the binary', () => {
  it('an addon that can not be loaded is an error that names the store, and leaves no file', () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('pilothouse-'))
    assert.throws(() => loadAddon(Buffer.from('no library')), /^Error: the embedded store can't be loaded: /)
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('pilothouse-'))
    assert.deepEqual(
      after.filter((name) => /^pilothouse-.{6}$/.test(name) && !before.includes(name)),
      [],
    )
  })
})
