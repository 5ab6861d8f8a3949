import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { containerFiles, WrittenFiles } from '../../../lib/hollownode/pods/containerfiles.ts'
import { runCommand } from '../../../lib/hollownode/shell/run.ts'
import { archiveEnd, archiveHeader, paddingAfter } from '../../../lib/hollownode/shell/tararchive.ts'
import { scratchFolder } from '../../support/apiserver.ts'

const mebibyte = 1024 * 1024

interface Ran {
  readonly code: number
  readonly output: Buffer
  readonly errors: string
}

/** A container with a file, a volume, and what was written into it. */
function container() {
  const files = containerFiles(
    new WrittenFiles(),
    new Map([['/etc/hostname', 'web-0\n']]),
    {
      get: async (path) => (path === '/config/a' ? 'from a volume' : undefined),
      below: async (folder) => new Map('/config/a'.startsWith(folder) ? [['/config/a', 'from a volume']] : []),
    },
    ['/config'],
  )
  const run = async (line: readonly string[], input?: Uint8Array): Promise<Ran> => {
    const output: Uint8Array[] = []
    let errors = ''
    const code = await runCommand(line, {
      env: new Map(),
      files,
      hostname: 'web-0',
      input: input && chunksOf(input),
      output: (data) => void output.push(Buffer.from(data)),
      errors: (data) => void (errors += String(data)),
      now: () => Date.UTC(2020, 0, 1),
      turn: async () => {},
      sleep: async () => {},
    })
    return { code, output: Buffer.concat(output), errors }
  }
  return { run, files }
}

/** Chunks that end anywhere. */
async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700)
}

function entry(name: string, content: Uint8Array | string, bytes = Buffer.from(content).length): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([archiveHeader({ name, kind: 'file', bytes }, 0), body, paddingAfter(body.length)])
}

describe('tar in hollow containers', () => {
  const folder = scratchFolder('hollowtar')
  after(() => folder.remove())

  /** What this machine's tar finds in an archive. */
  function unpacked(archive: Buffer): string[] {
    return execFileSync('tar', ['tf', '-'], { input: archive, encoding: 'utf8' }).trim().split('\n')
  }

  /** An archive that this machine's tar makes of the files. */
  function packed(files: Readonly<Record<string, string>>, ...options: string[]): Buffer {
    const root = join(folder.path, String(Math.random()))
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), content)
    }
    return execFileSync(
      'tar',
      ['cf', '-', ...options, '-C', root, ...new Set(Object.keys(files).map((each) => each.split('/')[0] ?? ''))],
      { maxBuffer: 8 * mebibyte },
    )
  }

  const long = `folder/${'n'.repeat(120)}`
  for (const format of ['gnu', 'ustar', 'pax'])
    it(`files that tar packs as ${format} are in the container, and come back the same`, async () => {
      const { run } = container()
      const files = {
        'folder/a': 'one',
        'folder/inner/b': 'x'.repeat(5000),
        ...(format !== 'ustar' && { [long]: 'l' }),
      }
      const up = await run(['tar', '-xmf', '-', '-C', '/tmp'], packed(files, `--format=${format}`))
      assert.deepEqual([up.code, up.errors], [0, ''])
      assert.equal((await run(['cat', '/tmp/folder/a'])).output.toString(), 'one')
      const down = await run(['tar', 'cf', '-', '-C', '/tmp', 'folder'])
      assert.deepEqual([down.code, down.errors], [0, ''])
      const into = join(folder.path, format)
      mkdirSync(into)
      execFileSync('tar', ['xf', '-', '-C', into], { input: down.output })
      for (const [name, content] of Object.entries(files)) assert.equal(readFileSync(join(into, name), 'utf8'), content)
    })

  it('absolute names lose their slash, as kubectl cp expects', async () => {
    const { code, output, errors } = await container().run(['tar', 'cf', '-', '/etc/hostname'])
    assert.deepEqual([code, errors], [0, "tar: removing leading '/' from member names\n"])
    assert.deepEqual(unpacked(output), ['etc/hostname'])
  })

  it('a folder is an entry before its files, those of volumes among them', async () => {
    const { output } = await container().run(['tar', 'cf', '-', '-C', '/', 'etc', 'config'])
    assert.deepEqual(unpacked(output), ['etc/', 'etc/hostname', 'config/', 'config/a'])
  })

  it('all files are below the root', async () => {
    const { output } = await container().run(['tar', 'cf', '-', '.'])
    assert.deepEqual(unpacked(output), ['./', './config/', './config/a', './etc/', './etc/hostname'])
  })

  const refused: [what: string, line: string[], archive: Buffer | undefined, message: RegExp][] = [
    ['a file that is missing', ['tar', 'cf', '-', 'none'], undefined, /^tar: none: No such file or directory\n/],
    [
      'a folder that is missing',
      ['tar', 'xf', '-', '-C', '/none'],
      archiveEndOnly(),
      /can't change directory to '\/none'/,
    ],
    ['an archive in a file', ['tar', 'cf', 'a.tar', 'etc'], undefined, /only - is known here/],
    ['compression', ['tar', 'czf', '-', 'etc'], undefined, /invalid option -- 'z'/],
    ['a name that leads out', ['tar', 'xf', '-'], closed(entry('../x', 'a')), /name with '\.\.' skipped/],
    ['a volume of an object', ['tar', 'xf', '-', '-C', '/config'], closed(entry('b', 'a')), /b: Read-only file system/],
    ['a folder’s name for a file', ['tar', 'xf', '-'], closed(entry('etc', 'a')), /can't open 'etc': Is a directory/],
    ['more than a container holds', ['tar', 'xf', '-'], entry('big', '', mebibyte + 1), /big: No space left on device/],
    [
      'many files that are more together',
      ['tar', 'xf', '-', '-C', '/tmp'],
      closed(entry('a', Buffer.alloc(600_000)), entry('b', Buffer.alloc(600_000))),
      /b: No space left on device/,
    ],
    [
      'too many files',
      ['tar', 'xf', '-', '-C', '/tmp'],
      closed(...Array.from({ length: 201 }, (_, at) => entry(`f${at}`, ''))),
      /f200: No space left on device/,
    ],
    ['an archive that ends too early', ['tar', 'xf', '-'], entry('tmp/a', 'a', 600), /Unexpected EOF/],
    ['no archive', ['tar', 'xf', '-'], Buffer.alloc(1024, 'text'), /does not look like a tar archive/],
  ]
  for (const [what, line, archive, message] of refused)
    it(`${what}: an error and exit code 1`, async () => {
      const { code, errors } = await container().run(line, archive)
      assert.equal(code, 1)
      assert.match(errors, message)
    })

  it('a file that is written again takes no space twice', async () => {
    const { run } = container()
    const archive = closed(entry('tmp/a', Buffer.alloc(700_000)))
    for (let times = 0; times < 3; times++) assert.equal((await run(['tar', 'xf', '-'], archive)).code, 0)
  })

  it('test answers whether a path is a folder or a file', async () => {
    const { run } = container()
    const codes = await Promise.all(
      ['-d /etc', '-f /etc', '-e /etc', '-f /etc/hostname', '-d /etc/hostname', '-d /none', '-x /etc'].map(
        async (args) => (await run(['test', ...args.split(' ')])).code,
      ),
    )
    assert.deepEqual(codes, [0, 1, 0, 0, 1, 1, 2])
  })
})

function closed(...entries: readonly Buffer[]): Buffer {
  return Buffer.concat([...entries, archiveEnd])
}

function archiveEndOnly(): Buffer {
  return Buffer.from(archiveEnd)
}
