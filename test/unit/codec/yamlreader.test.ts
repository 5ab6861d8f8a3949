import assert from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import { createYamlReader, decodeYaml, yamlInlineBytesMax, yamlWaitingMax } from '../../../lib/codec/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { createHoldMeter } from '../../support/holdmeter.ts'

const fill = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)

/** What the parser takes long over; each was seconds for some ten or hundred thousand bytes. */
const families: readonly [title: string, text: (bytes: number) => string][] = [
  ['closing brackets', (bytes) => fill(']', bytes)],
  ['anchors', (bytes) => fill('&a ', bytes)],
  ['one key again and again', (bytes) => fill('a: 1\n', bytes)],
  ['comments in a map', (bytes) => `a: 1\n${fill('# c\n', bytes)}b: 1\n`],
  ['blank lines', (bytes) => `a: 1\n${fill('\n', bytes)}b: 1\n`],
  ['closing braces', (bytes) => fill('}', bytes)],
  ['tags', (bytes) => fill('! ', bytes)],
  ['quotes', (bytes) => fill('" ', bytes)],
  ['documents', (bytes) => fill('---\n', bytes)],
]
const large = 3_000_000

describe('large YAML', () => {
  const timeMaxMs = 500
  const hurried = createYamlReader(systemClock, timeMaxMs)
  const reader = createYamlReader(systemClock)
  const read = (text: string): ReturnType<typeof reader.read> => reader.read(Buffer.from(text))

  // Each takes the whole time that there is.
  for (const [title, text] of families.slice(0, 5))
    it(`of ${title} is read or refused in time, and the event loop runs meanwhile`, async () => {
      const bytes = Buffer.from(text(large))
      const meter = createHoldMeter()
      const began = performance.now()
      const outcome = await hurried.read(bytes).then(
        () => 'read',
        (error: Error) => error.name,
      )
      const heldMs = meter.longestMs()
      meter.close()
      assert.ok(['read', 'DecodeError', 'StatusError'].includes(outcome), outcome)
      assert.ok(performance.now() - began < timeMaxMs + 10_000)
      // Tens of milliseconds on a machine with nothing else to do.
      assert.ok(heldMs < 500, `held for ${heldMs} ms`)
    })

  for (const [title, text] of families)
    it(`that is small enough to be read at once holds the event loop for a moment only: ${title}`, () => {
      const bytes = Buffer.from(text(yamlInlineBytesMax - 20))
      const began = threadCpuMs()
      try {
        decodeYaml(bytes)
      } catch {
        // Most of them are no YAML.
      }
      assert.ok(threadCpuMs() - began < 500)
    })

  it('has the values, duplicates and errors that small YAML has', async () => {
    const filler = `# ${'x'.repeat(yamlInlineBytesMax)}\n`
    const decoded = await read(`${filler}a: 9007199254740993\nb: {c: [yes, ~, 1.5]}\na: 0644\n`)
    assert.deepEqual(decoded, {
      value: { a: 420, b: { c: [true, null, 1.5] } },
      duplicates: ['line 4: key "a" already set in map'],
    })
    await assert.rejects(read(`${filler}a: [1`), { name: 'DecodeError', message: /^yaml: line \d+: / })
    await assert.rejects(read(`${filler}a: *b`), { name: 'DecodeError', message: /unknown anchor/ })
  })

  it('that is JSON is read at once', async () => {
    const object = { a: 'x'.repeat(yamlInlineBytesMax * 2) }
    assert.deepEqual((await read(JSON.stringify(object))).value, object)
  })

  it('is turned away while too much of it waits', async () => {
    const text = `# ${'x'.repeat(yamlInlineBytesMax)}\na: 1`
    const all = await Promise.allSettled(Array.from({ length: yamlWaitingMax + 2 }, () => read(text)))
    assert.deepEqual(
      all.map(({ status }) => status),
      [...Array.from({ length: yamlWaitingMax + 1 }, () => 'fulfilled'), 'rejected'],
    )
    const last = all.at(-1)
    assert.equal(last?.status === 'rejected' && (last.reason as { code: number }).code, 429)
  })
})
