// The thread of reader.ts: reads one YAML text and answers with JSON.
import { parentPort, workerData } from 'node:worker_threads'
import { DecodeError } from '../error.ts'
import { writeJson } from '../json/write.ts'
import { checkValues, TooManyValues } from '../values.ts'
import { decodeYaml } from './decode.ts'
import type { YamlThreadAnswer } from './reader.ts'

function read(bytes: Uint8Array): YamlThreadAnswer {
  try {
    const { value, duplicates } = decodeYaml(bytes)
    const json = Buffer.from(writeJson(value, { ordered: true }), 'utf8')
    checkValues(json)
    return { json, duplicates }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return { error: error.message, line: error.line, tooManyValues: error instanceof TooManyValues }
  }
}

parentPort?.postMessage(read(workerData as Uint8Array))
