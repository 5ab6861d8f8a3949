import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
/** An import or a re-export that is more than types. */
const imported = /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)\s+from\s+)?'(\.[^']+)'/gm

/** An import of Node's own module. */
const builtin = /^import\s+(?!type\b).*\s'(node:[^']+)'/gm

/** Files that are loaded with this one, before any `import()`. */
function loadedWith(entry: string): string[] {
  const loaded = new Set<string>()
  const waiting = [join(root, entry)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue
    loaded.add(path)
    for (const [, names = '', from = ''] of readFileSync(path, 'utf8').matchAll(imported))
      if (!isTypesAlone(names)) waiting.push(join(dirname(path), from))
  }
  return [...loaded].map((path) => relative(root, path))
}

function isTypesAlone(names: string): boolean {
  const each = names.replaceAll(/[{}\s]+/g, ' ').split(',')
  return names.startsWith('{') && each.every((name) => /^\s*(type\s.*)?$/.test(name))
}

describe('cmd: --help and --version', () => {
  for (const program of ['apiserver', 'controller-manager', 'pilothouse', 'scheduler'])
    it(`--help and --version of ${program} load flags and nothing of a server`, () => {
      const rooms = new Set(
        loadedWith(`cmd/${program}/program.ts`)
          .filter((path) => path.startsWith('lib/'))
          .map((path) => path.split('/')[1]),
      )
      assert.deepEqual(rooms, new Set(['base', 'features', 'flags', 'object']))
    })

  for (const program of ['apiserver', 'controller-manager', 'pilothouse', 'scheduler'])
    it(`${program} strips the types of few files before the compile cache is in use`, () => {
      assert.deepEqual(
        new Set(loadedWith(`cmd/${program}/main.ts`)),
        new Set([
          `cmd/${program}/main.ts`,
          'cmd/launch.ts',
          'cmd/compilecache.ts',
          'cmd/nodeversion.ts',
          'cmd/failureline.ts',
        ]),
      )
    })

  it('--version alone loads no flags', () => {
    const rooms = loadedWith('cmd/versionline.ts').filter((path) => path.startsWith('lib/'))
    assert.deepEqual(new Set(rooms.map((path) => path.split('/')[1])), new Set(['features']))
  })

  it("--help imports only those of Node's modules whose exports load nothing more", () => {
    const loaded = loadedWith('cmd/apiserver/program.ts').map((path) => readFileSync(join(root, path), 'utf8'))
    const names = loaded.flatMap((text) => [...text.matchAll(builtin)].map(([, name]) => name))
    assert.deepEqual(new Set(names), new Set(['node:path', 'node:net']))
  })
})

describe('cmd: bundles of the controller manager and the scheduler', () => {
  it('no room is imported whole at run time, which would keep all of it and of the rooms below', () => {
    const files = globSync('cmd/{*,component/*,controller-manager/*,scheduler/*}.ts', { cwd: root })
    assert.ok(files.includes('cmd/lifetime.ts'))
    const whole = files.filter((path) =>
      /\bimport\('[^']*\/lib\/\w+\/index\.ts'\)/.test(readFileSync(join(root, path), 'utf8')),
    )
    assert.deepEqual(whole, [])
  })
})
