import { FileRefused, isFolder, resolvePath } from './files.ts'
import type { ProcessIo } from './run.ts'
import { ArchiveReader, archiveEnd, archiveHeader, BadArchive, paddingAfter } from './tararchive.ts'

type Io = Pick<ProcessIo, 'files' | 'input' | 'output' | 'errors' | 'turn' | 'now'>

interface Options {
  /** Create, extract or list. */
  readonly mode: 'c' | 'x' | 't'
  readonly isVerbose: boolean
  /** Where relative names begin. */
  readonly folder: string
  readonly names: readonly string[]
}

/** The reason why a run ends with exit code 1. */
class Failure extends Error {}

/**
 * `tar` between a container's files and the standard streams, as `kubectl cp` runs it: without compression, links and
 * devices. Folders exist by the files in them. Resolves with the exit code.
 */
export async function tar(args: readonly string[], io: Io): Promise<number> {
  try {
    const options = parseOptions(args)
    if (!(await isFolder(io.files, options.folder)))
      throw new Failure(`can't change directory to '${options.folder}': No such file or directory`)
    return options.mode === 'c' ? await create(options, io) : await read(options, io)
  } catch (error) {
    if (!(error instanceof Failure || error instanceof BadArchive)) throw error
    await io.errors(`tar: ${error.message}\n`)
    return 1
  }
}

/** The first word may lack its dash. */
function parseOptions([first = '', ...rest]: readonly string[]): Options {
  const words = first.startsWith('-') ? [first, ...rest] : [`-${first}`, ...rest]
  const names: string[] = []
  let mode: Options['mode'] | undefined
  let isVerbose = false
  let folder = '/'
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const long = /^--directory=(.*)$/.exec(word)
    if (long) folder = resolvePath(folder, long[1] ?? '')
    else if (/^--no-same-(?:owner|permissions)$/.test(word)) continue
    else if (word === '--') names.push(...words.splice(0))
    else if (word.startsWith('--')) throw new Failure(`unrecognized option '${word}'`)
    else if (word.startsWith('-') && word !== '-')
      for (const letter of word.slice(1)) {
        if (letter === 'c' || letter === 'x' || letter === 't') mode = letter
        else if (letter === 'v') isVerbose = true
        else if (letter === 'C') folder = resolvePath(folder, words.shift() ?? '')
        else if (letter === 'f') requireStream(words.shift())
        else if (!/[mpo]/.test(letter)) throw new Failure(`invalid option -- '${letter}'`)
      }
    else names.push(word)
  }
  if (mode === undefined) throw new Failure('must specify one of -c, -x, -t')
  if (mode === 'c' && names.length === 0) throw new Failure('empty archive')
  return { mode, isVerbose, folder, names }
}

function requireStream(file: string | undefined): void {
  if (file !== '-') throw new Failure(`can't open '${file ?? ''}': only - is known here`)
}

async function create({ names, folder, isVerbose }: Options, io: Io): Promise<number> {
  let code = 0
  for (const name of names) {
    const root = resolvePath(folder, name)
    const found = await io.files.below(root).catch((error: unknown) => String(error))
    if (typeof found === 'string' || (found.size === 0 && !(await isFolder(io.files, root)))) {
      await io.errors(`tar: ${name}: ${typeof found === 'string' ? found : 'No such file or directory'}\n`)
      code = 1
      continue
    }
    if (name.startsWith('/')) await io.errors("tar: removing leading '/' from member names\n")
    const prefix = name.replace(/^\/+/, '').replace(/\/+$/, '')
    const nameOf = (path: string): string =>
      path === root ? prefix : `${prefix}${path.slice(root.replace(/\/$/, '').length)}`
    const made = new Set<string>()
    for (const [path, content] of [...found].sort(([one], [other]) => (one < other ? -1 : 1))) {
      await io.turn()
      for (const each of foldersFrom(root, path)) {
        if (made.has(each)) continue
        made.add(each)
        await io.output(archiveHeader({ name: `${nameOf(each)}/`, kind: 'folder', bytes: 0 }, io.now()))
      }
      const bytes = Buffer.from(content)
      if (isVerbose) await io.errors(`${nameOf(path)}\n`)
      await io.output(archiveHeader({ name: nameOf(path), kind: 'file', bytes: bytes.length }, io.now()))
      await io.output(bytes)
      await io.output(paddingAfter(bytes.length))
    }
    if (found.size === 0) await io.output(archiveHeader({ name: `${prefix}/`, kind: 'folder', bytes: 0 }, io.now()))
  }
  await io.output(archiveEnd)
  if (code !== 0) await io.errors('tar: error exit delayed from previous errors\n')
  return code
}

/** The folder `root` and those between it and the path, outermost first; none where the path is the root. */
function foldersFrom(root: string, path: string): string[] {
  const between: string[] = []
  for (let folder = parentOf(path); path !== root && folder.length >= root.length; folder = parentOf(folder)) {
    between.unshift(folder)
    if (folder === '/') break
  }
  return between
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Extracts or lists; all of the archive, or what the names say. */
async function read({ mode, names, folder, isVerbose }: Options, io: Io): Promise<number> {
  if (!io.input) throw new Failure('no input')
  const reader = new ArchiveReader(io.input)
  const wanted = names.map((name) => name.replace(/\/+$/, ''))
  for (let entry = await reader.next(); entry; entry = await reader.next()) {
    await io.turn()
    const { name, kind, bytes } = entry
    if (wanted.length > 0 && !wanted.some((each) => name === each || name.startsWith(`${each}/`))) continue
    if (mode === 't') await io.output(`${name}\n`)
    else if (isVerbose) await io.errors(`${name}\n`)
    if (mode === 't' || kind !== 'file') continue
    if (name.split('/').includes('..')) throw new Failure(`name with '..' skipped: '${name}'`)
    if (bytes > io.files.bytesMax) throw new Failure(`${name}: No space left on device`)
    const path = resolvePath(folder, name.replace(/^\/+/, ''))
    if (await isFolder(io.files, path)) throw new Failure(`can't open '${name}': Is a directory`)
    writeFile(io, path, name, await reader.content(bytes))
  }
  return 0
}

function writeFile(io: Io, path: string, name: string, content: Uint8Array): void {
  try {
    io.files.write(path, content)
  } catch (error) {
    if (error instanceof FileRefused) throw new Failure(`${name}: ${error.message}`)
    throw error
  }
}
