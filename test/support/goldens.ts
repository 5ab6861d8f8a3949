import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecorded } from './recorded.ts'

/** One object as the stock server writes it in two formats. */
export interface Golden {
  readonly title: string
  readonly apiVersion: string
  readonly kind: string
  readonly json: string
  /** In its envelope. */
  readonly protobuf: Uint8Array
}

const shared = join(import.meta.dirname, '../../../shared')

/** Goldens beside the repository, of any release; none when they are not there. */
export function readSharedGoldens(): Golden[] {
  return [...readFacts(join(shared, 'facts/golden.jsonl')), ...readRelease(join(shared, 'golden/v1.33.0'))]
}

/** Goldens of the project's own: every kind in every version with all of its fields. */
export function readOwnGoldens(): Golden[] {
  return [...readRecorded('objects')].map(([title, text]) => {
    const [apiVersion, kind, json, protobuf] = JSON.parse(text) as [string, string, string, string]
    return { title, apiVersion, kind, json, protobuf: Buffer.from(protobuf, 'base64') }
  })
}

function readFacts(path: string): Golden[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { apiVersion, kind, case: which, json, pb } = JSON.parse(line)
      const title = `${apiVersion} ${kind} (${which})`
      return { title, apiVersion, kind, json: JSON.stringify(json), protobuf: Buffer.from(pb, 'base64') }
    })
}

/** Where a release is known to write something else than it reads, the same is expected of us. */
function readRelease(folder: string): Golden[] {
  if (!existsSync(folder)) return []
  const later = (name: string, format: string): string => {
    const path = join(folder, name.replace('.pb', `.after_roundtrip.${format}`))
    return existsSync(path) ? path : join(folder, name.replace('.pb', `.${format}`))
  }
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pb') && !name.includes('after_roundtrip'))
    .filter((name) => existsSync(join(folder, name.replace('.pb', '.json'))))
    .map((name) => {
      const json = JSON.parse(readFileSync(later(name, 'json'), 'utf8'))
      const { apiVersion = 'v1', kind = name.split('.').at(-2) } = json
      return { title: name, apiVersion, kind, json: JSON.stringify(json), protobuf: readFileSync(later(name, 'pb')) }
    })
}
