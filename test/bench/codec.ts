// CPU of coding a typical Pod and ConfigMap: `node test/bench/codec.ts`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../api/index.ts'
import { createStructCodecs, decodeJson, decodeMessage, encodeJson, MessageWriter } from '../../lib/codec/index.ts'
import { compileTables } from '../../lib/schema/index.ts'

const roundMs = 400
const rounds = 5

/** Microseconds an operation takes: the best of some rounds, after a warm-up. */
function measure(operation: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    let count = 0
    while (performance.now() - start < roundMs) {
      for (let i = 0; i < 50; i++) operation()
      count += 50
    }
    if (round > 0) best = Math.min(best, ((performance.now() - start) * 1000) / count)
  }
  return best
}

const types = compileTables(tables)
const codecOf = createStructCodecs()
const writer = new MessageWriter()
const pod = readFileSync(join(import.meta.dirname, '../golden/pod.json'))
const configMap = Buffer.from(
  JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name: 'settings',
      namespace: 'default',
      uid: '3f1c2a9e-8b7d-4c6f-9a1e-2d3c4b5a6f70',
      resourceVersion: '1048576',
      creationTimestamp: '2024-05-14T09:30:00Z',
      labels: { app: 'web', tier: 'frontend' },
    },
    data: { 'a.conf': 'x'.repeat(400), 'b.conf': 'y'.repeat(300), level: 'info' },
  }),
)

for (const [name, kind, json] of [
  ['Pod', 'core/v1.Pod', pod],
  ['ConfigMap', 'core/v1.ConfigMap', configMap],
] as const) {
  const codec = codecOf(types.struct(kind))
  const { object } = decodeJson(json, codec)
  const message = writer.message(object, codec)
  console.log(`${name}: ${json.length} bytes of JSON, ${message.length} of protobuf`)
  const report = (what: string, operation: () => unknown): void =>
    console.log(`  ${what.padEnd(34)} ${measure(operation).toFixed(2).padStart(7)} µs`)
  report('decode protobuf', () => decodeMessage(message, codec))
  report('encode protobuf', () => writer.message(object, codec))
  report('decode JSON', () => decodeJson(json, codec))
  report('decode JSON, strict', () => decodeJson(json, codec, { strict: true }))
  report('encode JSON', () => encodeJson(object, codec))
  report('decode protobuf, encode JSON', () => encodeJson(decodeMessage(message, codec), codec))
  report('(JSON.parse alone)', () => JSON.parse(json.toString('utf8')))
  report('(JSON.stringify alone)', () => JSON.stringify(object))
}
