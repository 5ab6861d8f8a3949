import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createLogger, type LoggerControl, redactFields, redactText } from '../../../lib/observe/index.ts'
import { eventually } from '../../support/eventually.ts'

/** What a logger writes to its file, which has `count` lines before it is closed, where one is given. */
async function logged(format: 'text' | 'json', write: (control: LoggerControl) => void, count = 0): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-log-'))
  const descriptor = openSync(join(folder, 'log'), 'w')
  try {
    const clock = createFakeClock(Date.UTC(2030, 0, 2, 3, 4, 5, 678))
    const control = await createLogger(clock, { format, verbosity: 2, descriptor, pid: 42, flushPeriodMs: 5000 })
    write(control)
    const read = (): string => readFileSync(join(folder, 'log'), 'utf8')
    await eventually(() => read().split('\n').length > count, `${count} lines`)
    control.close()
    // What an error had begun to write is finished by another thread.
    await eventually(() => read().endsWith('\n'), 'the last line')
    return read().trimEnd().split('\n')
  } finally {
    closeSync(descriptor)
    rmSync(folder, { recursive: true })
  }
}

describe('logger', () => {
  it('writes text lines with severity, time, process, component and fields', async () => {
    const lines = await logged('text', ({ logger }) => {
      logger.info('started', { port: 6443, none: undefined })
      logger.named('cache').named('pods').warn('slow "one"')
      logger.error('broken', { error: new Error('why', { cause: new Error('because') }) })
    })
    assert.deepEqual(lines, [
      'I0102 03:04:05.678000      42 main] "started" port=6443',
      'W0102 03:04:05.678000      42 cache.pods] "slow \\"one\\""',
      'E0102 03:04:05.678000      42 main] "broken" error="why: because"',
    ])
  })

  it('writes JSON lines', async () => {
    const lines = await logged('json', ({ logger }) => {
      logger.named('cache').verbose(2, 'loaded', { count: 3 })
      logger.error('broken')
    })
    const [loaded = '', broken = ''] = lines
    assert.deepEqual(JSON.parse(loaded), {
      level: 'info',
      ts: 1893553445678,
      logger: 'cache',
      v: 2,
      msg: 'loaded',
      count: 3,
    })
    assert.deepEqual(JSON.parse(broken), { ts: 1893553445678, level: 'error', msg: 'broken' })
  })

  it('writes a text of several lines unchanged, in which text from clients begins no line', async () => {
    const text = ['Trace[1]: "Get" accept:a\r\nI0102 forged', 'Trace[1]: bearer abcdef0123456789 END']
    const shown = ['Trace[1]: "Get" accept:a\\u000d\\u000aI0102 forged', 'Trace[1]: bearer [redacted] END']
    const lines = await logged('text', ({ logger }) => logger.named('server').lines(text))
    assert.deepEqual(lines, [`I0102 03:04:05.678000      42 server] ${shown[0]}`, shown[1]])
    const [line = ''] = await logged('json', ({ logger }) => logger.lines(text))
    assert.equal((JSON.parse(line) as { msg: string }).msg, shown.join('\n'))
  })

  it('prints verbose lines up to the level, which may change', async () => {
    const lines = await logged('text', ({ logger, setVerbosity }) => {
      logger.verbose(2, 'two')
      logger.verbose(3, 'not yet')
      setVerbosity(3)
      assert.equal(logger.enabled(3), true)
      logger.verbose(3, 'three')
    })
    assert.deepEqual(
      lines.map((line) => line.split('] ')[1]),
      ['"two"', '"three"'],
    )
  })

  it('writes a line long before the period of flushes is over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-log-'))
    const descriptor = openSync(join(folder, 'log'), 'w')
    const clock = createFakeClock()
    const options = { format: 'text', verbosity: 0, descriptor, pid: 1, flushPeriodMs: 3_600_000 } as const
    const { logger, close } = await createLogger(clock, options)
    try {
      for (const message of ['first', 'second']) {
        logger.info(message)
        await eventually(() => {
          clock.advance(50)
          return readFileSync(join(folder, 'log'), 'utf8').includes(message)
        }, message)
      }
    } finally {
      close()
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  it('waits for one write at a time, however many errors come meanwhile, and writes them all', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    try {
      const lines = await logged(
        'text',
        ({ logger }) => {
          for (let i = 0; i < 100; i++) logger.error(`broken ${i}`)
        },
        100,
      )
      assert.deepEqual(
        lines.map((line) => line.split('] ')[1]),
        Array.from({ length: 100 }, (_, i) => `"broken ${i}"`),
      )
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(warnings, [])
    } finally {
      process.off('warning', onWarning)
    }
  })

  it('prints more of named components', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-log-'))
    const descriptor = openSync(join(folder, 'log'), 'w')
    try {
      const options = { format: 'text', verbosity: 1, descriptor, pid: 1, flushPeriodMs: 1000 } as const
      const modules = [
        ['pod?', 4],
        ['auth*', 3],
        ['server.audi[s-u]', 2],
        ['main', 5],
        ['*.storage', 6],
        ['[z-a]', 9],
      ] as const
      const { logger, close } = await createLogger(createFakeClock(), { ...options, modules })
      const levelOf = (name: string): number => {
        const named = name === '' ? logger : logger.named(name)
        return Math.max(...[1, 2, 3, 4, 5, 6, 7].filter((level) => named.enabled(level)))
      }
      const names = ['', 'pods', 'cache.pods', 'pod', 'authn', 'server.audit', 'audit', 'a.storage', 'storage', 'z']
      assert.deepEqual(names.map(levelOf), [5, 4, 4, 1, 3, 2, 1, 6, 1, 1])
      logger.named('pods').verbose(4, 'told')
      logger.named('pods').verbose(5, 'not told')
      close()
      assert.match(readFileSync(join(folder, 'log'), 'utf8'), /^.* pods\] "told"\n$/)
    } finally {
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  for (const format of ['text', 'json'] as const)
    it(`writes informational lines of ${format} elsewhere when they are to be split, and gathers them`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pilothouse-log-'))
      const [errors, infos] = ['errors', 'infos'].map((name) => join(folder, name)) as [string, string]
      const [descriptor, infoDescriptor] = [openSync(errors, 'w'), openSync(infos, 'w')]
      try {
        const clock = createFakeClock()
        const options = { format, verbosity: 0, pid: 1, flushPeriodMs: 1000, infoBufferBytes: 2000 } as const
        const { logger, close } = await createLogger(clock, { ...options, descriptor, infoDescriptor })
        logger.info('first')
        logger.warn('odd')
        logger.error('broken')
        await eventually(() => readFileSync(errors, 'utf8').includes('broken'), 'the error')
        assert.equal(readFileSync(infos, 'utf8'), '')
        for (let line = 0; line < 100; line++) logger.info(`line ${line}`)
        await eventually(() => readFileSync(infos, 'utf8').includes('first'), 'what fills the buffer')
        close()
        assert.match(readFileSync(infos, 'utf8'), /first[^]*line 0[^]*line 99/)
        assert.doesNotMatch(readFileSync(infos, 'utf8'), /odd|broken/)
        assert.match(readFileSync(errors, 'utf8'), /odd[^]*broken/)
        assert.doesNotMatch(readFileSync(errors, 'utf8'), /first|line/)
      } finally {
        closeSync(descriptor)
        closeSync(infoDescriptor)
        rmSync(folder, { recursive: true })
      }
    })

  it('drops lines that its reader does not read in time, logs how many, and continues', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-log-'))
    const descriptor = openSync(join(folder, 'log'), 'w')
    try {
      const clock = createFakeClock()
      const options = { format: 'text', verbosity: 0, pid: 1, flushPeriodMs: 1000, pendingBytesMax: 1000 } as const
      const { logger, close } = await createLogger(clock, { ...options, descriptor })
      for (let line = 0; line < 100; line++) logger.info(`line ${line}`)
      const read = (): string => readFileSync(join(folder, 'log'), 'utf8')
      await eventually(() => {
        clock.advance(1000)
        return read().includes('were dropped')
      }, 'how many were dropped')
      close()
      const text = read()
      const kept = text.match(/"line \d+"/g)?.length ?? 0
      const dropped = Number(/"log lines were dropped since the reader is slow" lines=(\d+)/.exec(text)?.[1])
      assert.deepEqual([kept > 0, kept < 50, kept + dropped], [true, true, 100])
    } finally {
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  it('hides texts that look like a secret', () => {
    const shown = redactFields({
      token: 'a',
      headers: { Authorization: 'Bearer abc', accept: 'x' },
      deep: { list: [{ clientSecret: 'q' }], tokenCount: 3 },
      note: 'sent Bearer abc.def-g= along',
    })
    assert.deepEqual(shown, {
      token: '[redacted]',
      headers: { Authorization: '[redacted]', accept: 'x' },
      deep: { list: [{ clientSecret: '[redacted]' }], tokenCount: 3 },
      note: 'sent Bearer [redacted] along',
    })
    assert.equal(redactText('x -----BEGIN EC PRIVATE KEY-----\nabc'), 'x [redacted]')
  })
})
