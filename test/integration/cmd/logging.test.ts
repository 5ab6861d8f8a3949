import assert from 'node:assert/strict'
import { failureLine } from '../../../cmd/failureline.ts'
import { request, scratchFolder, startServer } from '../../support/apiserver.ts'
import { runProgram } from '../../support/program.ts'

const program = 'cmd/apiserver/main.ts'

describe('apiserver: its log', () => {
  const folder = scratchFolder('logging')
  after(() => folder.remove())

  it('is split, and has more lines of the files that --vmodule names', async () => {
    const flags = ['--storage-backend=memory', '--log-text-split-stream', '--vmodule=serv?r=3,cache=1']
    const server = await startServer(program, flags, folder.path)
    await request(server, '/api?asked')
    await server.stop()
    assert.match(server.output('stdout'), /^I.* server\] "HTTP".*\/api\b/m)
    assert.match(server.output('stdout'), /^I.* main\] "stopped"$/m)
    assert.doesNotMatch(server.output('stdout'), /^[^I]/m)
    assert.match(server.output('stderr'), /^W.* main\] "no tokens of service accounts can be issued: [^\n]*\n$/)
  })
})

describe('programs: --logging-format=json', () => {
  const folder = scratchFolder('jsonlogs')
  after(() => folder.remove())
  const local = ['--bind-address=127.0.0.1', '--secure-port=1']
  /** What Node and dependencies would write to the terminal. */
  const stray = `
    process.on('exit', () => {
      process.emit('warning', new Error('a warning'))
      console.error('an %s', 'aside')
    })`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stray)}` }
  /** Programs that end at once, with their last line except stray ones. */
  const cases: readonly [title: string, program: string, words: readonly string[], message: RegExp][] = [
    [
      'the API server that can not start',
      'cmd/apiserver/main.ts',
      ['--storage-backend=memory', '--cert-dir=/proc/nowhere', ...local],
      /nowhere/,
    ],
    [
      'the controller manager without an API server',
      'cmd/controller-manager/main.ts',
      ['--kubeconfig=/nowhere', ...local],
      /--kubeconfig: no such file/,
    ],
    ['the control plane with a word that is no flag', 'cmd/pilothouse/main.ts', ['up', '--no-such'], /unknown flag/],
    ['a command that does not exist', 'cmd/pilothouse/main.ts', ['upp'], /unknown command/],
  ]
  for (const [title, program, words, message] of cases)
    it(`${title} writes JSON on every line`, async () => {
      const { code, stderr, stdout } = await runProgram(program, [...words, '--logging-format=json'], { env })
      const lines = `${stdout}${stderr}`.trimEnd().split('\n')
      const said = lines.map((line) => {
        const { msg, level, ts } = JSON.parse(line) as Record<string, unknown>
        assert.equal(typeof ts, 'number')
        return `${String(level)} ${String(msg)}`
      })
      assert.equal(code, 1)
      assert.deepEqual(said.slice(-2), ['warn a warning', 'warn an aside'])
      assert.match(said.at(-3) ?? '', /^error /)
      assert.match(said.at(-3) ?? '', message)
    })

  it('the last --logging-format decides about lines before the log is open', () => {
    const isJson = (...words: string[]): boolean => failureLine('p', 'wrong', words) !== 'p: wrong\n'
    assert.equal(isJson('--logging-format=json'), true)
    assert.equal(isJson('--logging_format', 'json', '--no-such'), true)
    assert.equal(isJson('--logging-format=json', '--logging-format=text'), false)
    assert.equal(isJson('--', '--logging-format=json'), false)
    assert.equal(isJson('--logging-formatting=json'), false)
  })
})
