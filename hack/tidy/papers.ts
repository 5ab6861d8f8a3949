import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rows } from '../rooms.ts'
import type { Tree } from './tree.ts'

/** Documents written by hand. Decisions are dated notes: they may name files that have been deleted since. */
const papers = ['*.md', 'docs/!(flags).md', 'deploy/**/*.md', 'lib/*/README.md', 'hack/decisions/README.md']

const namedPath = /(?<![\w./@:~$-])(?:api|cmd|console|deploy|docs|hack|lib|test)\/[\w./*{},-]*[\w/*}]/g
const link = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g
/** Paths of the worked examples of CONTRIBUTING.md, which test/unit/hack/contributing.test.ts follows. */
const example = /flashlight|lighting/i

/** The documents by their paths below the root. */
function readPapers(root: string): Tree {
  const paths = globSync(papers, { cwd: root, exclude: ['node_modules'] }).sort()
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/**
 * Paths and links in documents that lead nowhere. `exists` is called with paths below the root; they may contain `*`
 * and `{a,b}`.
 */
export function findBrokenPaths(documents: Tree, exists: (path: string) => boolean): string[] {
  const problems: string[] = []
  for (const [paper, text] of documents) {
    const folder = paper.split('/').slice(0, -1).join('/')
    const named = [...text.matchAll(namedPath)].map(([path]) => path)
    const linked = [...text.matchAll(link)].map(([, target = '']) => join(folder, target))
    for (const path of new Set([...named, ...linked]))
      if (!example.test(path) && !exists(path)) problems.push(`${paper}: ${path} is missing`)
  }
  return problems
}

/** Rooms of the layer table without a folder, and rows that differ in ARCHITECTURE.md. */
export function findWrongRooms(architecture: string, folders: readonly string[]): string[] {
  const missing = rows.flat().filter((room) => !folders.includes(room))
  const problems = missing.map((room) => `hack/rooms.ts: there is no folder lib/${room}`)
  for (const [index, rooms] of rows.entries()) {
    const row = new RegExp(`^\\| ${index} +\\|(.*)\\|$`, 'm').exec(architecture)?.[1] ?? ''
    const shown = [...row.matchAll(/`(\w+)`/g)].map(([, room = '']) => room)
    if ([...shown].sort().join() !== [...rooms].sort().join())
      problems.push(`ARCHITECTURE.md: row ${index} is ${rooms.join(', ')} in hack/rooms.ts`)
  }
  return problems
}

/** Decisions that the index of hack/decisions lacks, and lines of it without a name or a status. */
export function findUnlistedDecisions(index: string, names: readonly string[]): string[] {
  const listed = new Map<string, string>()
  for (const [, name = '', status = ''] of index.matchAll(/^\| \[[^\]]*\]\(([^)]+)\).*\|([^|]+)\|$/gm))
    listed.set(name, status.trim())
  const problems = names.filter((name) => !listed.has(name)).map((name) => `${name} is not in the index`)
  for (const [name, status] of listed) {
    const successor = /^replaced by .*\((\S+)\)$/.exec(status)?.[1]
    if (status !== 'accepted' && !listed.has(successor ?? '')) problems.push(`${name}: "${status}" is no status`)
  }
  return problems.map((problem) => `hack/decisions/README.md: ${problem}`)
}

/** Everything that is wrong in documents about the tree below `root`, a line a finding. */
export function findWrongPapers(root: string): string[] {
  const documents = readPapers(root)
  const exists = (path: string): boolean => existsSync(join(root, path)) || globSync(path, { cwd: root }).length > 0
  const decisions = readdirSync(join(root, 'hack/decisions')).filter((name) => /^\d.*\.md$/.test(name))
  return [
    ...findBrokenPaths(documents, exists),
    ...findWrongRooms(documents.get('ARCHITECTURE.md') ?? '', readdirSync(join(root, 'lib'))),
    ...findUnlistedDecisions(documents.get('hack/decisions/README.md') ?? '', decisions),
  ]
}
