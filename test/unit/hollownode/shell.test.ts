import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { containerFiles, WrittenFiles } from '../../../lib/hollownode/pods/containerfiles.ts'
import { ContainerLog } from '../../../lib/hollownode/pods/containerlog.ts'
import { surroundingsOf } from '../../../lib/hollownode/pods/process.ts'
import { canRun, runCommand, UnknownProgram } from '../../../lib/hollownode/shell/run.ts'
import type { Frozen } from '../../../lib/object/index.ts'

interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
  /** Milliseconds that were slept. */
  readonly sleptMs: number
}

async function run(line: readonly string[], input?: string): Promise<Ran> {
  const ran = { output: '', errors: '', sleptMs: 0 }
  const code = await runCommand(line, {
    env: new Map([
      ['PATH', '/bin'],
      ['NAME', 'web'],
    ]),
    files: containerFiles(new WrittenFiles(), new Map([['/etc/hostname', 'web-0\n']]), undefined, []),
    hostname: 'web-0',
    input: input === undefined ? undefined : toChunks(input),
    output: (data) => void (ran.output += String(data)),
    errors: (data) => void (ran.errors += String(data)),
    now: () => Date.UTC(2030, 0, 1),
    turn: async () => {},
    async sleep(delayMs) {
      ran.sleptMs += delayMs
      if (ran.sleptMs > 60_000) throw new Error('it is killed')
    },
  })
  return { ...ran, code }
}

async function* toChunks(text: string): AsyncIterable<Uint8Array> {
  for (const part of text) yield Buffer.from(part)
}

describe('shell of hollow nodes', () => {
  const scripts: [script: string, output: string, code: number, errors?: string][] = [
    ['echo a b', 'a b\n', 0],
    ['echo "a  b" \'c $NAME\'', 'a  b c $NAME\n', 0],
    ['echo $NAME ${NAME}-0 "in $NAME" $MISSING.', 'web web-0 in web .\n', 0],
    ['X=1; echo $X; Y=2 env', '1\nPATH=/bin\nNAME=web\nX=1\nY=2\n', 0],
    ['echo one; echo two\necho three # four', 'one\ntwo\nthree\n', 0],
    ['true && echo yes || echo no', 'yes\n', 0],
    ['false && echo yes || echo no', 'no\n', 0],
    ['false; echo $?', '1\n', 0],
    ['echo out; echo err >&2; exit 3; echo never', 'out\n', 3, 'err\n'],
    ['echo gone >/dev/null; cat /nowhere 2>/dev/null', '', 1],
    ['cat /nowhere', '', 1, "cat: can't open '/nowhere': No such file or directory\n"],
    ['cat /etc/hostname; hostname', 'web-0\nweb-0\n', 0],
    ['if false; then echo a; else echo b; fi', 'b\n', 0],
    ['until true; do echo never; done; echo over', 'over\n', 0],
    ['sh -c "exit 4"; echo $?', '4\n', 0],
    ['nginx -g "daemon off;"', '', 127, 'sh: nginx: not found\n'],
    ['echo a | cat', '', 2, 'sh: "|" is not known\n'],
    ['echo $(date)', '', 2, 'sh: substitutions are not known\n'],
    ['echo "open', '', 2, 'sh: a quote is not closed\n'],
    ['if true; then echo a', '', 2, 'sh: fi expected before end\n'],
    ['date', '2030-01-01T00:00:00Z\n', 0],
    ["printf '%s-%s\\n' a b", 'a-b\n', 0],
  ]
  for (const [script, output, code, errors = ''] of scripts)
    it(`${JSON.stringify(script)} prints ${JSON.stringify(output)} and ends with ${code}`, async () => {
      const ran = await run(['sh', '-c', script])
      assert.deepEqual([ran.output, ran.code, ran.errors], [output, code, errors])
    })

  it('a loop that never ends pauses in every round, so that it can be killed', async () => {
    await assert.rejects(run(['sh', '-c', 'while true; do echo tick >/dev/null; done']), /it is killed/)
  })

  it('sleep takes seconds, fractions and units', async () => {
    assert.equal((await run(['sh', '-c', 'sleep 1.5; sleep 100ms || sleep 0.25m'])).sleptMs, 16_500)
  })

  it('cat without a file copies its input', async () => {
    assert.equal((await run(['cat'], 'typed\n')).output, 'typed\n')
  })

  it('a program that does not exist is no command', async () => {
    await assert.rejects(run(['nginx']), UnknownProgram)
  })

  it('only scripts whose commands are all known run as the command of a container', () => {
    const known = [
      ['sleep', '3600'],
      ['/bin/sh', '-c', 'while true; do date; sleep 1; done'],
      ['sh', '-c', 'A=1 exec env'],
    ]
    const unknown = [['nginx'], ['sh', '-c', 'nginx && echo ok'], ['sh', '-c', 'echo a | wc'], ['sh', '-c', '$PROGRAM']]
    assert.deepEqual(
      [known.map(canRun), unknown.map(canRun)],
      [
        [true, true, true],
        [false, false, false, false],
      ],
    )
  })

  for (const [what, script, message] of [
    ['a variable that doubles', `a=xx; while true; do a=$a$a; done`, 'sh: argument list too long\n'],
    ['a shell that runs itself', `a='sh -c "$a"'; sh -c "$a"`, 'sh: too many shells within each other\n'],
    ['a script that is too long', ':;'.repeat(40_000), 'sh: the script is too long\n'],
  ] as const)
    it(`${what} ends with an error`, async () => {
      const { code, errors } = await run(['sh', '-c', script])
      assert.deepEqual([code, errors], [2, message])
    })
})

describe('the log of a hollow container', () => {
  it('keeps the newest lines, and no more than a mebibyte of them', () => {
    const log = new ContainerLog()
    for (let line = 0; line < 2000; line++) log.write('stdout', `${line} ${'x'.repeat(10_000)}\n`, 0)
    const characters = log.lines.reduce((sum, { text }) => sum + text.length, 0)
    assert.ok(characters > 500_000 && characters <= 1024 * 1024, `${characters} characters`)
    assert.match(log.lines.at(-1)?.text ?? '', /^1999 /)
  })
})

describe('the environment of a hollow container', () => {
  it('bounds values that refer to each other', () => {
    const env = Array.from({ length: 40 }, (_, index) => ({
      name: `A${index}`,
      value: index === 0 ? 'xx' : `$(A${index - 1})$(A${index - 1}) $(UNKNOWN)`,
    }))
    const pod = { metadata: { name: 'p' }, spec: {}, status: {} } as unknown as Frozen<Pod>
    const around = surroundingsOf(pod, { env }, '10.0.0.1', { env: new Map(), files: new Map() })
    assert.equal(around.env.get('A1'), 'xxxx $(UNKNOWN)')
    assert.equal(around.env.get('A39')?.length, 128 * 1024)
  })
})
