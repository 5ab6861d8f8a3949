import assert from 'node:assert/strict'
import { findPrograms } from '../../hack/ha/cluster.ts'
import { createSeededRandom } from '../../lib/base/index.ts'
import { canaries } from '../chaos/canaries.ts'
import { checkHistory } from '../chaos/check.ts'
import { type ChaosEnvironment, openChaosEnvironment } from '../chaos/environment.ts'
import { faults } from '../chaos/faults.ts'
import type { Finding, History } from '../chaos/history.ts'
import { type RunOptions, runChaos } from '../chaos/run.ts'
import { scratchFolder } from '../support/apiserver.ts'
import { freeClusterPorts } from '../support/ports.ts'

/** Long runs, with every fault: `npm run chaos`. */
describe('a control plane whose parts fail', function () {
  this.timeout(180_000)
  const folder = scratchFolder('chaos')
  let around: ChaosEnvironment | undefined
  before(async function () {
    const programs = await findPrograms()
    if (!programs && process.env['CI']) assert.fail('etcd, haproxy and prometheus are needed')
    if (!programs) return this.skip()
    around = await openChaosEnvironment(folder.path, await freeClusterPorts(), programs, {
      hasSmallDisk: false,
      hasSlowDisks: true,
    })
  })
  after(async () => {
    await around?.close()
    folder.remove()
  })

  /** Of a run in which nothing was found. */
  let soundHistory: History | undefined
  let runs = 0
  const run = async (options: Partial<RunOptions>): ReturnType<typeof runChaos> => {
    assert.ok(around)
    const load = { writers: 5, watchers: 8, keys: 40, namespace: `chaos-${++runs}` }
    return await runChaos(around, { seed: runs, ms: 3000, faults: [], ...load, say() {}, ...options })
  }

  it('loses nothing, answers nothing stale, and sends watchers everything once', async () => {
    const load = { acknowledged: 0, events: 0 }
    const isEnough = (): boolean => load.acknowledged > 100 && load.events > 1000
    // A slow machine gets there by the second or third run.
    for (let more = 3; more > 0 && !isEnough(); more--) {
      const { faults, counts, findings, problems, history } = await run({
        ms: 15_000,
        // A process of several is killed first, and a whole replica third.
        seed: 11,
        faults: ['kill-process', 'kill-replica', 'kill-leader', 'pause-replica', 'cut-links', 'lost-replies'],
      })
      assert.deepEqual([findings.slice(0, 10), problems.slice(0, 10)], [[], []])
      soundHistory = history
      assert.ok(Object.keys(faults).length >= 2, 'faults were there')
      load.acknowledged += counts.acknowledged
      load.events += counts.events
    }
    assert.ok(isEnough(), `there was a load: ${JSON.stringify(load)}`)
  })

  it('loses nothing while disks are slow, and reports which faults had effect', async function () {
    if (around?.strace === undefined) return this.skip()
    const { faults, counts, findings, problems } = await run({ ms: 9000, faults: ['slow-disk'] })
    assert.deepEqual([findings.slice(0, 10), problems.slice(0, 10)], [[], []])
    assert.ok((faults['slow-disk'] ?? 0) > 0 && counts.acknowledged > 20)
    const spoilt = await run({ ms: 3000, faults: ['slow-disk'], canary: 'lost-write' })
    assert.ok(spoilt.findings.some(({ rule }) => rule === 'ghost'))
  })

  it('notices a disk that is not slow although it should be', async () => {
    assert.ok(around)
    const idle = { ...around, strace: '/bin/true' }
    const problems = await faults['slow-disk']?.(idle, createSeededRandom(1))
    assert.match(problems?.join() ?? '', /^etcd\d: \d+ syncs took [\d.]+ s, with \d+ ms for each/)
  })

  const rulesOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ rule }) => rule))]

  for (const canary of ['lost-write', 'old-state'])
    it(`is caught where what it stores is wrong: ${canary}`, async () => {
      const rules = rulesOf((await run({ canary })).findings)
      assert.ok(rules.includes('ghost'), rules.join())
    })

  for (const [canary, rule] of [
    ['skipped-event', 'skipped event'],
    ['repeated-event', 'repeated event'],
    ['stale-read', 'stale read'],
  ] as const)
    it(`is caught where what it answers is wrong: ${canary}`, () => {
      assert.ok(soundHistory)
      const told = canaries[canary]?.tell?.(soundHistory)
      assert.ok(told)
      assert.deepEqual(rulesOf(checkHistory(told)), [rule])
    })
})
