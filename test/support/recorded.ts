import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Facts by name, such as the columns of a kind. Values are compared as JSON. */
export type Entries = Iterable<readonly [name: string, value: unknown]>

/** How many differences a failed comparison prints. */
const shownMax = 20
const isRecording = process.env['PILOTHOUSE_RECORD'] === '1'

const pathOf = (record: string): string => join(import.meta.dirname, '../golden/recorded', `${record}.jsonl.gz`)

/** The program's answers by name, as they were when they were last proven equal to a stock server's. */
export function readRecorded(record: string): Map<string, string> {
  const path = pathOf(record)
  if (!existsSync(path)) return new Map()
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [name, value] = JSON.parse(line) as [string, unknown]
        return [name, JSON.stringify(value)]
      }),
  )
}

/**
 * Compares what the program says now with the record: goldens of the project's own, which every clone has. A test calls this
 * after its comparison with a stock server's answers, so that `node hack/record-goldens.ts` records nothing that differs
 * from those where they are there. Names that are new since pass until they are recorded.
 */
export function assertRecorded(record: string, entries: Entries): void {
  const now = new Map([...entries].map(([name, value]) => [name, JSON.stringify(value ?? null)]))
  assert.ok(now.size > 0, `${record}: nothing to compare`)
  if (isRecording) return write(record, now)
  const before = readRecorded(record)
  assert.ok(before.size > 0, `${record}: nothing is recorded`)
  const differ = [...before.keys()]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}\n  recorded ${cut(before.get(name))}\n  now      ${cut(now.get(name))}`)
  assert.equal(differ.length, 0, `${record}: ${differ.length} differ\n${differ.slice(0, shownMax).join('\n')}`)
}

function cut(text = 'nothing'): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

function write(record: string, entries: ReadonlyMap<string, string>): void {
  const lines = [...entries].map(([name, value]) => `[${JSON.stringify(name)},${value}]\n`)
  writeFileSync(pathOf(record), gzipSync(lines.join(''), { level: 9 }))
}
