import { Worker } from 'node:worker_threads'
import { Breather, type Clock } from '../../base/index.ts'
import { statusErrors } from '../../object/index.ts'
import { DecodeError } from '../error.ts'
import { parseJson } from '../json/decode.ts'
import { TooManyValues } from '../values.ts'
import { type DecodedYaml, decodeJsonAsYamlInSlices, decodeYaml } from './decode.ts'

/** Larger YAML is read in a thread of its own: the parser takes up to 10 µs a byte. */
export const yamlInlineBytesMax = 4 * 1024
/** A body that takes longer is refused (413); 2 MB of some 100,000 lines take two seconds on a machine that has nothing else to do. */
const readTimeMaxMs = 10_000
/** Bodies that wait for the thread; more are turned away (429). */
export const yamlWaitingMax = 4

export interface YamlReader {
  /** As decodeYaml, without holding the event loop. `breather`: that of the request. Throws DecodeError, or a StatusError at its limits. */
  read(bytes: Uint8Array, breather?: Breather): Promise<DecodedYaml>
}

/** The thread's answer: the value as JSON text, or the error. */
export type YamlThreadAnswer =
  | { readonly json: Uint8Array; readonly duplicates: readonly string[] }
  | { readonly error: string; readonly line: number | undefined; readonly tooManyValues: boolean }

/** One thread at a time, for one body: large YAML is rare (kubectl and client libraries send JSON), and starting one takes 50 ms. */
export function createYamlReader(clock: Clock, timeMaxMs = readTimeMaxMs): YamlReader {
  const waiting: (() => void)[] = []
  let busy = false

  async function takeTurn(): Promise<void> {
    if (!busy) {
      busy = true
      return
    }
    if (waiting.length >= yamlWaitingMax) throw statusErrors.tooManyRequests('too many large YAML bodies at a time', 1)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function passTurn(): void {
    const next = waiting.shift()
    if (next) next()
    else busy = false
  }

  return {
    async read(bytes, breather = new Breather(clock)) {
      if (bytes.length <= yamlInlineBytesMax) return decodeYaml(bytes)
      breather.note(bytes.length)
      const json = await breather.run(decodeJsonAsYamlInSlices(bytes))
      if (json) return json
      await takeTurn()
      try {
        return decoded(await readInThread(bytes, clock, timeMaxMs))
      } finally {
        passTurn()
      }
    },
  }
}

function decoded(answer: YamlThreadAnswer): DecodedYaml {
  if ('json' in answer) return { value: parseJson(answer.json), duplicates: answer.duplicates }
  if (answer.tooManyValues) throw new TooManyValues()
  throw new DecodeError(answer.error, answer.line === undefined ? {} : { line: answer.line })
}

async function readInThread(bytes: Uint8Array, clock: Clock, timeMaxMs: number): Promise<YamlThreadAnswer> {
  // hack/bundle.ts puts it beside the chunk that this file becomes a part of.
  const program = new URL(import.meta.url.endsWith('/reader.ts') ? 'thread.ts' : 'yamlthread.js', import.meta.url)
  const thread = new Worker(program, { workerData: bytes, resourceLimits: { maxOldGenerationSizeMb: 512 } })
  const answer = Promise.withResolvers<YamlThreadAnswer>()
  const tooLarge = (why: string): void => answer.reject(statusErrors.tooLarge(why))
  const timer = clock.after(timeMaxMs, () => tooLarge('reading this YAML takes too long'))
  thread.once('message', (message: YamlThreadAnswer) => answer.resolve(message))
  thread.once('error', () => tooLarge('reading this YAML takes too much memory'))
  try {
    return await answer.promise
  } finally {
    void timer.close()
    await thread.terminate()
  }
}
