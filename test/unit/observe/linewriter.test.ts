import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from '../../../lib/base/index.ts'
import { LineWriter } from '../../../lib/observe/linewriter.ts'
import { eventually } from '../../support/eventually.ts'

describe('writer of lines', () => {
  let folder: string
  let reader: number
  let descriptor: number
  let dropped: number
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-lines-'))
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    dropped = 0
  })
  afterEach(() => {
    closeSync(descriptor)
    rmSync(folder, { recursive: true })
  })

  const clock = createFakeClock()
  const createWriter = (bufferBytes = 100): LineWriter =>
    new LineWriter(clock, { descriptor, bufferBytes, pendingBytesMax: 10e6, onDropped: () => dropped++ })
  const readAll = (): string => {
    const buffer = Buffer.alloc(200_000)
    let text = ''
    for (;;)
      try {
        const count = readSync(reader, buffer)
        if (count === 0) return text
        text += buffer.toString('utf8', 0, count)
      } catch {
        return text
      }
  }

  it('flushes waiting lines, in order', () => {
    const writer = createWriter()
    writer.write('one\n')
    writer.write('two ⎈\n')
    assert.equal(readAll(), '')
    writer.flush()
    assert.equal(readAll(), 'one\ntwo ⎈\n')
    writer.write('three\n')
    writer.flush()
    assert.equal(readAll(), 'three\n')
    closeSync(reader)
  })

  it('gives a flush up where the reader has closed', () => {
    const writer = createWriter()
    writer.write('one\n')
    closeSync(reader)
    writer.flush()
    writer.write('two\n')
    writer.flush()
  })

  it('gives a flush up where the reader reads nothing', function () {
    this.slow(4000)
    const writer = createWriter(2_000_000)
    writer.write(`${'x'.repeat(1_000_000)}\n`)
    writer.flush()
    assert.match(readAll(), /^x+$/)
    closeSync(reader)
  })

  it('tries a full pipe again, and writes everything in order', async () => {
    const writer = createWriter()
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`)
    for (const line of lines) writer.write(line)
    writer.writeOut()
    let text = ''
    await eventually(() => {
      clock.advance(100)
      text += readAll()
      return text.endsWith('line 39999\n')
    }, 'the last line')
    assert.equal(text, lines.join(''))
    assert.equal(dropped, 0)
    closeSync(reader)
  })

  it('discards all lines once the reader has closed', async () => {
    const writer = createWriter()
    closeSync(reader)
    writer.write('one\n')
    writer.writeOut()
    await eventually(() => dropped === 1, 'the failed write')
    writer.write('two\n')
    writer.flush()
    assert.equal(dropped, 1)
  })
})
