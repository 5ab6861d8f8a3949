import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics } from '../../lib/observe/index.ts'

const root = join(import.meta.dirname, '../..')

export interface DeclaredMetric {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** In order of the alphabet, with commas. */
  readonly labels: string
  readonly stability: string
}

/** Our kind for a stock type. */
export function kindOf(type: string): DeclaredMetric['kind'] {
  if (type === 'Counter') return 'counter'
  return type === 'Gauge' || type === 'Custom' ? 'gauge' : 'histogram'
}

/** A registry that notes what is declared in it. */
export function recording(declared: Map<string, DeclaredMetric>): ReturnType<typeof createMetrics> {
  const metrics = createMetrics()
  const note = <
    Options extends { readonly name: string; readonly labels?: readonly string[]; readonly stability?: string },
    Made,
  >(
    kind: DeclaredMetric['kind'],
    make: (options: Options) => Made,
  ) => {
    return (options: Options): Made => {
      const { name, labels = [], stability = 'ALPHA' } = options
      declared.set(name, { kind, labels: [...labels].sort().join(','), stability })
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

/** The faults of a table of stock metrics: `reason` is '' for those that are exposed. */
export function outOfDate(
  stock: readonly { readonly name: string; readonly reason: string }[],
  declared: ReadonlyMap<string, DeclaredMetric>,
): readonly string[] {
  const named = namesInSources()
  return stock.flatMap(({ name, reason }) => {
    const isExposed = declared.has(name) || named.has(name)
    if (isExposed === (reason === '')) return []
    return [isExposed ? `${name} is exposed: its reason in the table is out of date` : `${name} is gone`]
  })
}

/** Metrics that are declared only where audit, encryption, webhooks and the like are configured: by their names in lib. */
function namesInSources(): ReadonlySet<string> {
  const sources = readdirSync(join(root, 'lib'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
    .join('\n')
  const all = (pattern: RegExp): string[] => [...sources.matchAll(pattern)].map(([, name = '']) => name)
  const prefixes = [
    ...all(/prefix: '(apiserver_\w+)'/g),
    ...all(/prefix = '(apiserver_\w+)'/g),
    ...all(/withSyncMetrics\(\w+, '(\w+)'\)/g),
  ]
  const suffixes = all(/\$\{\w*[pP]refix\}(_\w+)`/g)
  return new Set([
    ...all(/'([a-z]+(?:_[a-z0-9]+)+)'/g),
    ...prefixes.flatMap((prefix) => suffixes.map((suffix) => prefix + suffix)),
  ])
}
