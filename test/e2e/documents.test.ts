import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programFile } from '../../hack/programfile.ts'
import { type ServerProcess, scratchFolder, startServer } from '../support/apiserver.ts'
import { findKubectl } from '../support/kubectl.ts'
import { type PageBlock, readPage } from '../support/page.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root }).sort()]
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts

/** Commands of a block, one a line, without comments. */
function commandsOf({ text }: PageBlock): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  return lines.map((line) => line.replace(/ +#.*$/, '').trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

/** Texts in which the flags of a command are declared; undefined: no program of the project. Throws where it does not exist. */
function sourcesOf(command: string): string[] | undefined {
  const words = command.split(/\s+/)
  const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1]
  if (script !== undefined && !['install', 'ci'].includes(script)) {
    assert.ok(scripts[script] !== undefined, `${command}: package.json has no script ${script}`)
    // `npm start` hands its flags on to `pilothouse up`.
    return script === 'start' ? flagTables() : [read(scripts[script].split(' ').at(-1) ?? '')]
  }
  if (words.includes('pilothouse') || command.includes('/main.ts')) return flagTables()
  const files = words.filter((word) => /^(hack|test|cmd)\/.*\.m?[jt]s$/.test(word))
  for (const file of files) assert.ok(existsSync(join(root, file)), `${command}: there is no ${file}`)
  return files.length > 0 ? files.map(read) : undefined
}

const flagTables = (): string[] =>
  globSync(['cmd/*/flags.ts', 'cmd/*/flags/*.ts', 'cmd/pilothouse/*/flags.ts'], { cwd: root }).map(read)

/** The command's scripts, files and flags exist. */
function check(command: string): void {
  const sources = sourcesOf(command)
  if (!sources || command.includes('mocha')) return
  for (const [, flag = ''] of command.matchAll(/ --([a-z][\w-]*)/g)) {
    const declared = new RegExp(`\\b${flag}\\b`)
    assert.ok(
      sources.some((text) => declared.test(text)),
      `${command}: nothing declares --${flag}`,
    )
  }
}

describe('the documents', function () {
  this.timeout(120_000)

  for (const page of pages)
    it(`${page} names only scripts, programs, flags and tests that exist`, () => {
      for (const { run: by, text, line } of readPage(read(page))) {
        const test = /^by=([\w-]+)$/.exec(by)?.[1]
        assert.ok(by === '' || by === 'long' || test !== undefined, `${page}:${line}: "${by}" names no way to run it`)
        if (test !== undefined)
          assert.ok(existsSync(join(root, `test/e2e/${test}.test.ts`)), `${page}:${line}: ${test}`)
        for (const command of commandsOf({ run: by, text, line })) check(command)
      }
    })

  it('README.md has at most 150 lines', () => assert.ok(read('README.md').split('\n').length <= 150))

  it('show a working use of the library', async () => {
    const folder = scratchFolder('library')
    const [, text = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? []
    const spec = "const spec = { containers: [{ name: 'web', image: 'web:1' }] }\n"
    const end =
      "if (answer.status !== 200) throw new Error(`the pod's GET answered ${answer.status}`)\nprocess.exit(0)\n"
    writeFileSync(
      join(folder.path, 'use.ts'),
      text.replace("'pilothouse'", `'${join(root, 'cmd/pilothouse/library.ts')}'\n${spec}`) + end,
    )
    await run(process.execPath, [join(folder.path, 'use.ts')]).finally(() => folder.remove())
  })
})

describe('the commands of the documents, run against one server', function () {
  if (!findKubectl()) {
    it.skip('the commands need kubectl on PATH')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('documents')
  const data = join(folder.path, 'data')
  let server: ServerProcess | undefined
  before(async () => {
    for (const made of [data, join(folder.path, 'bin')]) mkdirSync(made)
    const program = join(folder.path, 'bin/pilothouse')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${programFile('cmd/pilothouse/main.ts')}' "$@"\n`)
    chmodSync(program, 0o755)
    server = await startServer('cmd/pilothouse/main.ts', [`--data-dir=${data}`], folder.path)
  })
  after(async () => {
    await server?.kill()
    folder.remove()
  })

  for (const page of pages)
    for (const { run: by, text, line } of readPage(read(page)))
      if (by === '')
        it(`the block of ${page} at line ${line} succeeds`, async () => {
          const env = {
            ...process.env,
            HOME: folder.path,
            PATH: `${join(folder.path, 'bin')}:${process.env['PATH']}`,
            KUBECONFIG: join(data, 'admin.kubeconfig'),
          }
          await run('sh', ['-ec', text.replaceAll('/var/lib/pilothouse', data)], { cwd: folder.path, env })
        })
})
