import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '../../../lib/observe/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'

const root = join(import.meta.dirname, '../../..')

interface StockMetric {
  readonly name: string
  readonly type: string
  readonly labels: string
  /** '': it is exposed. */
  readonly reason: string
}

interface Declared {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: string
}

const stock: readonly StockMetric[] = readFileSync(join(root, 'test/golden/metrics/apiserver.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', type = '', labels = '', reason = ''] = line.split('\t')
    return { name, type, labels, reason }
  })

describe('the metrics of the stock API server', () => {
  const folder = scratchFolder('metrics')
  const declared = new Map<string, Declared>()

  before(async () => {
    const key = join(folder.path, 'accounts.key')
    writeFileSync(
      key,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
    )
    const flags = [
      '--service-account-issuer=https://pilothouse.test',
      `--service-account-signing-key-file=${key}`,
      `--service-account-key-file=${key}`,
    ]
    const server = await startComposed(folder.path, flags, { metrics: recording(declared) })
    await server.stop()
  })

  it('are exposed, or stand in the table with the reason why they are not', () => {
    const named = namesInSources()
    const wrong = stock.flatMap(({ name, reason }) => {
      const isExposed = declared.has(name) || named.has(name)
      if (isExposed === (reason === '')) return []
      return [isExposed ? `${name} is exposed: its reason in the table is out of date` : `${name} is gone`]
    })
    assert.deepEqual(wrong, [])
  })

  it('have the type and the labels that dashboards know', () => {
    let compared = 0
    for (const { name, type, labels } of stock) {
      const ours = declared.get(name)
      if (ours === undefined) continue
      compared++
      assert.deepEqual([name, ours.kind, ours.labels], [name, kindOf(type), labels])
    }
    assert.ok(compared > 80, `${compared} compared`)
  })

  it('are each in the table once', () => {
    assert.equal(new Set(stock.map(({ name }) => name)).size, stock.length)
    assert.equal(stock.length, 250)
  })
})

function kindOf(type: string): Declared['kind'] {
  if (type === 'Counter') return 'counter'
  return type === 'Gauge' || type === 'Custom' ? 'gauge' : 'histogram'
}

/** A registry that notes what is declared in it. */
function recording(declared: Map<string, Declared>): ReturnType<typeof createMetrics> {
  const metrics = createMetrics()
  const note = <Options extends { readonly name: string; readonly labels?: readonly string[] }, Made>(
    kind: Declared['kind'],
    make: (options: Options) => Made,
  ) => {
    return (options: Options): Made => {
      declared.set(options.name, { kind, labels: [...(options.labels ?? [])].sort().join(',') })
      return make(options)
    }
  }
  return {
    ...metrics,
    counter: note('counter', (options) => metrics.counter(options)),
    gauge: note('gauge', (options) => metrics.gauge(options)),
    histogram: note('histogram', (options) => metrics.histogram(options)),
  }
}

/** Metrics that are declared only where audit, encryption, webhooks and the like are configured: by their names in lib. */
function namesInSources(): ReadonlySet<string> {
  const sources = readdirSync(join(root, 'lib'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
    .join('\n')
  const all = (pattern: RegExp): string[] => [...sources.matchAll(pattern)].map(([, name = '']) => name)
  const prefixes = [...all(/prefix: '(apiserver_\w+)'/g), ...all(/prefix = '(apiserver_\w+)'/g)]
  const suffixes = all(/\$\{\w*[pP]refix\}(_\w+)`/g)
  return new Set([
    ...all(/'([a-z]+(?:_[a-z0-9]+)+)'/g),
    ...prefixes.flatMap((prefix) => suffixes.map((suffix) => prefix + suffix)),
  ])
}
