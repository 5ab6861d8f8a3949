import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const block = /^```ts (file|after)=(\S+)\n([\s\S]*?)^```$/gm

/** Inserts every second line of `text` below the line before it, which the file has once. */
function insert(path: string, text: string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  const pairs = text.trimEnd().split('\n')
  for (let at = 0; at < pairs.length; at += 2) {
    const [before = '', added = ''] = pairs.slice(at, at + 2)
    assert.equal(lines.filter((line) => line === before).length, 1, `${path} has this line once: ${before}`)
    lines.splice(lines.indexOf(before) + 1, 0, added)
  }
  writeFileSync(path, lines.join('\n'))
}

/** Uses the kind and the controller that the page adds. */
const use = `
import { validateFlashlight } from './lib/kinds/lighting/flashlight/validate.ts'
import { builtInKinds } from './lib/kinds/index.ts'
import { controllers } from './lib/controllers/index.ts'
import { isWasted } from './lib/controllers/flashlight/plan.ts'
import { resources } from './api/gen/resources.ts'

const object = (lumens) => ({ kind: 'Flashlight', metadata: { name: 'a' }, spec: { lumens, on: true } })
console.log(
  JSON.stringify([
    resources.lighting.v1.flashlights.resource,
    builtInKinds.filter(({ kind }) => kind === 'Flashlight').length,
    controllers.filter(({ name }) => name === 'flashlight-controller').length,
    [-1, 100].map((lumens) => validateFlashlight(object(lumens)).length),
    [0, 100].map((lumens) => isWasted(object(lumens))),
  ]),
)
`

describe('the worked examples of CONTRIBUTING.md', function () {
  this.timeout(120_000)
  const copy = mkdtempSync(join(tmpdir(), 'pilothouse-contributing-'))
  const run = (...line: string[]): string =>
    execFileSync(process.execPath, line, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  before(() => {
    for (const folder of ['api', 'cmd', 'hack', 'lib'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true })
    for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(copy, file))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [, how, path = '', text = ''] of page.matchAll(block)) {
      const target = join(copy, path)
      if (how === 'after') insert(target, text)
      else {
        assert.equal(existsSync(target), false, `${path} is new`)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, text)
      }
    }
  })
  after(() => rmSync(copy, { recursive: true, force: true }))

  it('make a kind that is generated and validated, and a controller that plans', () => {
    assert.throws(() => run('hack/generate-types.ts', '--check'), /out of date/)
    run('hack/generate-types.ts')
    run('hack/generate-types.ts', '--check')
    writeFileSync(join(copy, 'use.ts'), use)
    assert.deepEqual(JSON.parse(run('use.ts')), ['flashlights', 1, 1, [1, 0], [true, false]])
  })

  it('keep to the layers of rooms', () => void run('hack/layers.ts'))

  it('have the right types', () => {
    const example = { extends: './tsconfig.json', include: ['lib/kinds/lighting', 'lib/controllers/flashlight'] }
    writeFileSync(join(copy, 'tsconfig.example.json'), JSON.stringify(example))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.example.json'], { cwd: copy, encoding: 'utf8' })
  })
})
