import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { controllers } from '../../../lib/controllers/index.ts'
import { runControllers } from '../../support/runcontrollers.ts'
import { type DeclaredMetric, kindOf, outOfDate, recording } from '../../support/stockmetrics.ts'

interface StockMetric {
  readonly name: string
  readonly type: string
  readonly labels: string
  readonly stability: string
  /** '': it is exposed. */
  readonly reason: string
}

const stock: readonly StockMetric[] = readFileSync(
  join(import.meta.dirname, '../../golden/metrics/controller-manager.tsv'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', type = '', labels = '', stability = '', reason = ''] = line.split('\t')
    return { name, type, labels, stability, reason }
  })

describe('the metrics of the stock controller manager', () => {
  const declared = new Map<string, DeclaredMetric>()
  before(async () => {
    const plane = await startControlPlane({ controllers: [] })
    const settings = { allocateNodeCidrs: true, clusterCidr: ['10.244.0.0/16'] }
    const manager = await runControllers(plane, controllers, settings, { metrics: recording(declared) })
    await manager.close()
    await plane.stop()
  })

  it('are exposed, or listed with the reason why they are not', () => {
    assert.deepEqual(outOfDate(stock, declared), [])
  })

  it('have the type, the labels and the stability that dashboards rely on', () => {
    let compared = 0
    for (const { name, type, labels, stability } of stock) {
      const ours = declared.get(name)
      if (ours === undefined) continue
      compared++
      assert.deepEqual([name, ours.kind, ours.labels, ours.stability], [name, kindOf(type), labels, stability])
    }
    assert.ok(compared > 70, `${compared} compared`)
  })
})
