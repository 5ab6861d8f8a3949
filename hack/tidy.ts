// Finds leftovers of changes: exports and files that nothing uses, files outside the layer table, decisions that are
// named but missing, comments that begin with a riddle, vague words in comments and test titles, JSON.parse of foreign
// texts, certificates that are not parsed by lib/pki, and documents that name missing files, rooms or decisions.
import { join } from 'node:path'
import { rows } from './rooms.ts'
import { findMissingDecisions, findRiddles, findVagueWords } from './tidy/comments.ts'
import { type EntryPoints, findDead } from './tidy/exports.ts'
import { findForbidden } from './tidy/forbidden.ts'
import { findWrongPapers } from './tidy/papers.ts'
import { readTree, type Tree } from './tidy/tree.ts'

/** Programs, the published library, tests, and files that are started by a name that is assembled at run time. */
const entries = [
  /^cmd\/[^/]+\/main\.ts$/,
  /^cmd\/binary\/thread\.ts$/,
  /^cmd\/pilothouse\/library\.ts$/,
  /^console\/(?:main|signedin)\.ts$/,
  /^hack\/[^/]+\.ts$/,
  /\.test\.ts$/,
  /^test\/bench\/(?:authz|cel|http2|main)\.ts$/,
  // Types of a package without its own.
  /\.d\.ts$/,
  // The worker of reader.ts, which has another name in the bundle.
  /^lib\/codec\/yaml\/thread\.ts$/,
  // The thread of the page, and what its bundle has in the place of Node's modules.
  /^lib\/console\/tryout\/(?:thread|browser\/(?:net|buffer))\.ts$/,
]

/** Folders that are read as a whole: tables of the API, and one valid object a kind for the tests. */
const foldersLoaded = [/^api\//, /^test\/support\/valid\//]

const entryPoints: EntryPoints = {
  isEntry: (path) => entries.some((pattern) => pattern.test(path)),
  isLoadedByFolder: (path) => foldersLoaded.some((pattern) => pattern.test(path)),
}

/** Folders of test/; all of its files are in one of them. */
const testFolders = new Set([
  'bench',
  'chaos',
  'contract',
  'e2e',
  'integration',
  'node',
  'simulation',
  'support',
  'unit',
])

/** Files that keep keys with a backslash from JSON.parse, or pass it only strings. */
const exactParsers = /^lib\/(?:object\/jsontext|codec\/json\/(?:decode|sortedtext|tree))\.ts$/

const plainParses = {
  call: /\bJSON\.parse\b/,
  // Keys with a backslash mislead later calls.
  instead: 'parseJsonText instead of JSON.parse',
  isChecked: (path: string) => path.startsWith('lib/') && !exactParsers.test(path),
}

const plainCertificates = {
  call: /\bnew X509Certificate\b/,
  // It searches the bytes of a certificate for PEM first, and a text for other blocks than readPem finds.
  instead: 'parseCertificate or readCertificate instead of new X509Certificate',
  isChecked: (path: string) => /^(lib|cmd)\//.test(path) && path !== 'lib/pki/certificates.ts',
}

export function findOutsideRooms(tree: Tree): string[] {
  const rooms = new Set(rows.flat())
  const problems: string[] = []
  for (const path of tree.keys()) {
    if (!path.endsWith('.ts')) continue
    const [top = '', folder = ''] = path.split('/')
    if (!path.includes('/')) problems.push(`${path}: sources lie in api, cmd, console, hack, lib or test`)
    if (top === 'lib' && !rooms.has(folder)) problems.push(`${path}: no room of hack/rooms.ts`)
    if (top === 'test' && !testFolders.has(folder)) problems.push(`${path}: no folder of tests`)
  }
  return problems
}

/** Everything that is untidy in the tree, a line a finding. */
export function findUntidy(tree: Tree): string[] {
  return [
    ...findDead(tree, entryPoints),
    ...findOutsideRooms(tree),
    ...findMissingDecisions(tree),
    ...findForbidden(tree, plainParses),
    ...findForbidden(tree, plainCertificates),
    ...findVagueWords(tree),
    ...findRiddles(tree, (path) => /^(lib|cmd)\/|^test\/(support|bench)\//.test(path)),
  ]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const problems = [...findUntidy(readTree(root)), ...findWrongPapers(root)]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
}
