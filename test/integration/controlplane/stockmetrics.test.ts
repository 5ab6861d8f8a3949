import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type DeclaredMetric, kindOf, outOfDate, recording } from '../../support/stockmetrics.ts'

const root = join(import.meta.dirname, '../../..')

interface StockMetric {
  readonly name: string
  readonly type: string
  readonly labels: string
  /** '': it is exposed. */
  readonly reason: string
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
  const declared = new Map<string, DeclaredMetric>()

  before(async () => {
    const key = join(folder.path, 'accounts.key')
    writeFileSync(
      key,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
    )
    const egress = join(folder.path, 'egress.yaml')
    writeFileSync(egress, 'apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n')
    const flags = [
      `--egress-selector-config-file=${egress}`,
      '--service-account-issuer=https://pilothouse.test',
      `--service-account-signing-key-file=${key}`,
      `--service-account-key-file=${key}`,
    ]
    const server = await startComposed(folder.path, flags, { metrics: recording(declared) })
    await server.stop()
  })

  it('are exposed, or listed with the reason why they are not', () => {
    assert.deepEqual(outOfDate(stock, declared), [])
  })

  it('have the type and the labels of the stock server', () => {
    let compared = 0
    for (const { name, type, labels } of stock) {
      const ours = declared.get(name)
      if (ours === undefined) continue
      compared++
      assert.deepEqual([name, ours.kind, ours.labels], [name, kindOf(type), labels])
    }
    assert.ok(compared > 80, `${compared} compared`)
  })

  it('are each listed once', () => {
    assert.equal(new Set(stock.map(({ name }) => name)).size, stock.length)
    assert.equal(stock.length, 250)
  })
})
