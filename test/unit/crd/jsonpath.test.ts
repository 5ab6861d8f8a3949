import assert from 'node:assert/strict'
import { parseJsonPath } from '../../../lib/crd/jsonpath.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const object = {
  metadata: { name: 'a', labels: { 'app.io/x': 'y' } },
  spec: { list: [{ n: 1, of: { t: 'x' } }, { n: 2, of: { t: 'y' } }, { n: 3 }], empty: null, big: 2n ** 60n },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
}

const cases: readonly (readonly [path: string, found: readonly unknown[] | undefined])[] = [
  ['.metadata.name', ['a']],
  ["{.metadata.labels['app.io/x']}", ['y']],
  ['.metadata.labels.app\\.io/x', ['y']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.spec.list[?(@.n>1)].n', [2, 3]],
  ['.spec.list[?(@.of)].n', [1, 2]],
  ['.spec.list[?(@.of[?(@=="y")])].n', [2]],
  ['.spec.list[?(@.of==@.of)].n', []],
  ['.spec.list[-1].n', [3]],
  ['.spec.list[0,2].n', [1, 3]],
  ['.spec.list[1:].n', [2, 3]],
  ['.spec.list[::2].n', [1, 3]],
  ['.spec.list[*].of.t', ['x', 'y']],
  ['.spec..t', ['x', 'y']],
  ['.spec.empty', [null]],
  ['.spec.empty..x', []],
  ['.spec.constructor', []],
  ['.spec.__proto__', []],
  ['.spec.', undefined],
  ['.spec[', undefined],
]

describe('JSON paths of columns', () => {
  for (const [path, found] of cases)
    it(`${path} leads to ${JSON.stringify(found) ?? 'nothing, being none'}`, () => {
      assert.deepEqual(parseJsonPath(path)?.find(object), found)
    })

  it('lead nowhere when filters in filters visit too much', () => {
    let deep: unknown = { z: 1 }
    for (let depth = 0; depth < 400; depth++) deep = { a: deep, b: [depth] }
    for (const path of [
      '..[?(@..[?(@..z=="y")].q=="x")]',
      '..[?(@..[?(@..[?(@..z=="y")].q=="x")].r=="w")]',
      `..${'[?(@..a)]'.repeat(50)}`,
      '..*'.repeat(60),
    ]) {
      const began = threadCpuMs()
      parseJsonPath(path)?.find(deep)
      assert(threadCpuMs() - began < 100, path)
    }
    assert.deepEqual(parseJsonPath('..[?(@..[?(@..z>=1)])]')?.find(deep), [])
  })
})
