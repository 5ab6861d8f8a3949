import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundledMain, bundlesFolder } from '../../../cmd/clonebundle.ts'
import { bundleClone } from '../../../hack/bundle.ts'

const root = join(import.meta.dirname, '../../..')
const main = join(root, 'cmd/controller-manager/main.ts')

describe("programs of a clone's sources", function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    await bundleClone()
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-clone-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('a program is found in the bundle of the sources as they are', async () => {
    const bundled = bundledMain(main) ?? ''
    assert.match(relative(bundlesFolder, bundled), /^[0-9a-f]{16}\/cmd\/controller-manager\/main\.js$/)
    assert.equal(bundled, join(await bundleClone(), 'cmd/controller-manager/main.js'))
  })

  it('a process that starts with the sources replaces itself by one that runs the bundle', async () => {
    const kubeconfig = join(folder, 'kubeconfig')
    const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } }
    const context = { name: 'c', context: { cluster: 'c', user: 'u' } }
    const users = [{ name: 'u', user: { token: 't' } }]
    writeFileSync(
      kubeconfig,
      JSON.stringify({ kind: 'Config', clusters: [cluster], contexts: [context], users, 'current-context': 'c' }),
    )
    const { PILOTHOUSE_ENGINE: _mark, ...env } = process.env
    const child = spawn(process.execPath, [main, `--kubeconfig=${kubeconfig}`, '--secure-port=0'], {
      cwd: folder,
      env,
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    try {
      const words = (): string[] => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0')
      // For a moment it has no words at all.
      while (child.exitCode === null && (words().includes(main) || words()[0] === '')) await sleep(20)
      const shown = words()
      assert.ok(shown.includes(bundledMain(main) ?? ''), shown.join(' '))
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  })
})
