import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { types } from '../../../cmd/pilothouse/types/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { runProgram } from '../../support/program.ts'

const golden = join(import.meta.dirname, '..', '..', 'golden', 'types')
const gadgets = join(golden, 'gadgets.yaml')

describe('pilothouse types', () => {
  const folder = scratchFolder('types')
  after(() => folder.remove())

  it('writes the same types for the same definitions, whatever their order and format', async () => {
    const wanted = readFileSync(join(golden, 'gadgets.ts.txt'), 'utf8')
    const whole = await runProgram('cmd/pilothouse/main.ts', ['types', '--crd', gadgets])
    assert.equal(whole.stdout, wanted)
    const parts = readFileSync(gadgets, 'utf8').split('\n---\n')
    const within = join(folder.path, 'crds', 'within')
    mkdirSync(within, { recursive: true })
    writeFileSync(join(folder.path, 'crds', 'z.yaml'), parts[0] ?? '')
    writeFileSync(join(within, 'a.yml'), parts[1] ?? '')
    writeFileSync(join(within, 'other.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] }))
    writeFileSync(join(within, 'notes.txt'), 'no definition')
    const out = join(folder.path, 'gadgets.ts')
    assert.equal(await types(['--crd', join(folder.path, 'crds'), '--out', out]), 0)
    assert.equal(readFileSync(out, 'utf8'), wanted)
  })

  it('refuses input that makes no sense with its place, and writes nothing', async () => {
    const definition = (change: string): string =>
      readFileSync(gadgets, 'utf8')
        .split('\n---\n')[1]
        ?.replace(/^(?=spec:)/m, '')
        .replace(...(change.split(' => ') as [string, string])) ?? ''
    for (const [text, message] of [
      ['kind: ConfigMap\napiVersion: v1\n', /there is no served custom resource in /],
      [
        definition('apiextensions.k8s.io/v1 => apiextensions.k8s.io/v1beta1'),
        /bad.yaml:2: apiVersion: .*v1beta1 is not/,
      ],
      [definition('plural: delete => plural: "a;b"'), /bad.yaml:2: spec.names.plural: "a;b" is not valid/],
      [definition('kind: Gadget => kind: "G*/x"'), /spec.names.kind: "G\*\/x" is not valid/],
      [definition('scope: Cluster => scope: Both'), /spec.scope: "Both" is not valid/],
      [definition('name: v1, served => name: "v1\\nx", served'), /spec.versions\[0\].name: .* is not valid/],
      [`${definition('x => x')}\n---\n${definition('x => x')}`, /delete.other.example.org is defined twice/],
      ['spec: {', /bad.yaml:\d/],
    ] as const) {
      const file = join(folder.path, 'bad.yaml')
      writeFileSync(file, text)
      const out = join(folder.path, 'never.ts')
      await assert.rejects(types(['--crd', file, '--out', out]), message)
      assert.throws(() => readFileSync(out), { code: 'ENOENT' })
    }
    await assert.rejects(types([]), /must specify --crd/)
    await assert.rejects(types(['--crd', '/nowhere.yaml']), /can't read \/nowhere.yaml/)
  })
})
