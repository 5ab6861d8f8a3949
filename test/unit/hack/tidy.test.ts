import assert from 'node:assert/strict'
import { findUntidy } from '../../../hack/tidy.ts'

/** Findings of a tree of these files, beside a program that imports `lib/cache/index.ts` for what `uses` says. */
function untidy(files: Readonly<Record<string, string>>, uses = ''): string[] {
  const main = `import '../../lib/cache/index.ts'\n${uses}`
  return findUntidy(new Map(Object.entries({ 'cmd/p/main.ts': main, 'lib/cache/index.ts': '', ...files })))
}

const usesStore = "import { Store } from '../../lib/cache/index.ts'\n"

describe('hack/tidy finds', () => {
  it('no problem in a tree where everything is used', () => {
    const files = {
      'lib/cache/index.ts': "export { type Options, Store } from './store.ts'\n",
      'lib/cache/store.ts':
        "import { size } from './size.ts'\nexport class Store {}\nexport interface Options {}\nsize()\n",
      'lib/cache/size.ts': 'export function size() {}\n',
    }
    assert.deepEqual(untidy(files, "import {\n  type Options,\n  Store as S,\n} from '../../lib/cache/index.ts'\n"), [])
  })

  const declarations = [
    'export const size = 1',
    'export let size = 1',
    'export function size() {}',
    'export async function size() {}',
    'export function* size() {}',
    'export class size {}',
    'export abstract class size {}',
    'export interface size {}',
    'export type size = 1',
    'const size = 1\nexport { size }',
    'export const { size } = object',
  ]
  for (const text of declarations)
    it(`a name that nothing imports: ${text.replace('\n', '; ')}`, () => {
      const line = text.startsWith('const') ? 2 : 1
      assert.deepEqual(untidy({ 'lib/cache/index.ts': "import './a.ts'\n", 'lib/cache/a.ts': `${text}\n` }), [
        `lib/cache/a.ts:${line}: no other file imports size`,
      ])
    })

  it('a name that a room passes on and nobody outside imports, with the name behind it', () => {
    const files = {
      'lib/cache/index.ts': "export { type Options, Store } from './store.ts'\n",
      'lib/cache/store.ts': 'export class Store {}\n\nexport interface Options {}\n',
    }
    assert.deepEqual(untidy(files, usesStore), [
      'lib/cache/index.ts:1: no other file imports Options',
      'lib/cache/store.ts:3: no other file imports Options',
    ])
  })

  it('no fault in a type that its own file uses: declarations of what is exported may need its name', () => {
    const used = 'export interface Options {}\nexport class Store {\n  options: Options\n}\n'
    const unused = '/** Options of old. */\nexport interface Options {}\nexport class Store {}\n'
    assert.deepEqual(untidy({ 'lib/cache/index.ts': used }, usesStore), [])
    assert.deepEqual(untidy({ 'lib/cache/index.ts': unused }, usesStore), [
      'lib/cache/index.ts:2: no other file imports Options',
    ])
  })

  it('a name that is passed on under another name', () => {
    const files = {
      'lib/cache/index.ts': "export { Shop as Store, Shop } from './store.ts'\n",
      'lib/cache/store.ts': 'export class Shop {}\n',
    }
    assert.deepEqual(untidy(files, usesStore), ['lib/cache/index.ts:1: no other file imports Shop'])
  })

  const wholeUses = {
    'a namespace': "import * as cache from '../../lib/cache/index.ts'\ncache.Store\n",
    'a namespace that is passed on': "import * as cache from '../../lib/cache/index.ts'\nuse(cache)\n",
    'an import while running': "const { Store: S } = await import('../../lib/cache/index.ts')\n",
    'an import while running, as a whole': "const cache = await import('../../lib/cache/index.ts')\n",
    'a type of an import': "type T = import('../../lib/cache/index.ts').Store\n",
  }
  for (const [title, uses] of Object.entries(wholeUses))
    it(`no fault in a name used through ${title}`, () => {
      assert.deepEqual(untidy({ 'lib/cache/index.ts': 'export class Store {}\n' }, uses), [])
    })

  it('the unused members of a namespace', () => {
    const text = 'export class Store {}\nexport class Shop {}\n'
    assert.deepEqual(
      untidy({ 'lib/cache/index.ts': text }, "import * as cache from '../../lib/cache/index.ts'\ncache.Store\n"),
      ['lib/cache/index.ts:2: no other file imports Shop'],
    )
  })

  it('a file that no file imports, unless its name is written where it is started', () => {
    assert.deepEqual(untidy({ 'lib/cache/worker.ts': '' }), ['lib/cache/worker.ts: no file imports it'])
    assert.deepEqual(untidy({ 'lib/cache/worker.ts': '' }, "start('worker.ts')\n"), [])
  })

  it('no fault in tests, programs and folders that are loaded as a whole', () => {
    const files = {
      'test/unit/a.test.ts': '',
      'cmd/q/main.ts': 'export const a = 1\n',
      'api/core/v1.ts': 'export const a = 1\n',
    }
    assert.deepEqual(untidy(files), [])
  })

  it('files outside the layer table and the folders of tests', () => {
    const files = { 'lib/cellar/index.ts': '', 'test/odd/a.test.ts': '', 'loose.ts': '' }
    assert.deepEqual(untidy(files, "import '../../lib/cellar/index.ts'\nimport '../../loose.ts'\n"), [
      'lib/cellar/index.ts: no room of hack/rooms.ts',
      'test/odd/a.test.ts: no folder of tests',
      'loose.ts: sources lie in api, cmd, console, hack, lib or test',
    ])
  })

  it('decisions that are named but not there, in comments and in papers', () => {
    const files = {
      'hack/decisions/2026-11-21-cache.md': 'One cache.',
      'lib/cache/index.ts': '// See hack/decisions/2026-11-21-cache.md and hack/decisions/2026-11-22-gone.md.\n',
      'README.md': 'In hack/decisions/2026-11-21-cache and hack/decisions/2026-11-20-lost.md.',
    }
    assert.deepEqual(untidy(files), [
      'lib/cache/index.ts: hack/decisions/2026-11-22-gone.md is missing',
      'README.md: hack/decisions/2026-11-20-lost.md is missing',
    ])
  })

  const riddles = {
    '// Of what is stored the newest.': 'Of',
    '/** What a pod mounts. */': 'What',
    '/**\n * The pods of a node. Who reads them closes them.\n */': 'Who',
    '// Closed once\n// nobody reads it.': 'nobody',
    'const a = 1 // whoever asks': 'whoever',
  }
  for (const [text, word] of Object.entries(riddles))
    it(`the riddle in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(untidy({ 'lib/cache/index.ts': `\n${text}\n` }), [
        `lib/cache/index.ts:2: "${word}" leaves open who does what`,
      ])
    })

  const vague = {
    '// Tells the client of it.': 'Tells',
    '/** The place\n * where it stands. */': 'stands',
    'const a = 1 // begins anew': 'anew',
    '// The watcher hears of changes.': 'hears of',
    '// Requests, of which one is slow.': ', of which',
    '// It ends by itself.': 'by itself',
    '// The last is to be had.': 'is to be had',
  }
  for (const [text, word] of Object.entries(vague))
    it(`the vague word in ${JSON.stringify(text)}`, () => {
      const found = untidy({ 'cmd/p/main.ts': `import '../../lib/cache/index.ts'\n${text}\n` })
      assert.ok(
        found.some((line) => /^cmd.p.main\.ts:2: write .* for /.test(line) && line.endsWith(`"${word.trim()}"`)),
      )
    })

  it('the vague word in a test title', () => {
    const vague = 'are told of changes'
    const title = `describe('watches', () => {\n  it('${vague}', () => {})\n})\n`
    assert.deepEqual(untidy({ 'test/unit/server/a.test.ts': title }), [
      'test/unit/server/a.test.ts:2: write reports, returns, logs or names for "told"',
    ])
  })

  it('no vague word in plain sentences and in texts', () => {
    const plain = [
      "import '../../lib/cache/index.ts'",
      '// An alias that stands for a name; at least two itself.',
      "const text = 'tells // anew'",
    ]
    const files = { 'cmd/p/main.ts': plain.join('\n\n') }
    assert.deepEqual(untidy(files), [])
  })

  it('no riddle in plain sentences, in texts, and outside the product', () => {
    const plain = [
      '/** The pods of a node: what it runs, and who owns it. */',
      '// Of course it is closed.',
      "const text = 'what is it // nobody'",
      '/** Off by default. */',
    ]
    const files = { 'lib/cache/index.ts': plain.join('\n\n'), 'test/unit/a.test.ts': '// What is tested.\n' }
    assert.deepEqual(untidy(files), [])
  })

  it('JSON.parse in a room, but not in a comment, and not where it is kept from misleading keys', () => {
    const text = '/** As JSON.parse does. */\nexport const size = JSON.parse(text)\n'
    const files = { 'lib/cache/index.ts': "import { size } from './a.ts'\nsize()\n", 'lib/cache/a.ts': text }
    assert.deepEqual(untidy(files), ['lib/cache/a.ts:2: parseJsonText instead of JSON.parse'])
    const allowed = { 'lib/cache/index.ts': '', 'lib/object/jsontext.ts': text }
    assert.deepEqual(untidy(allowed, "import { size } from '../../lib/object/jsontext.ts'\nsize()\n"), [])
  })
})
