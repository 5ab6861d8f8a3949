import assert from 'node:assert/strict'
import { type AttackedPlane, startAttackedPlane } from '../../hack/attack/plane.ts'
import { proofsInShort } from '../../hack/attack/proofs.ts'
import { bugsInShort, type PlantedBug, together } from '../../hack/attack/random/plantedbugs.ts'
import { type Report, runRandomAttack } from '../../hack/attack/random/run.ts'
import { prepare } from '../../hack/attack/setup.ts'
import { startWatchdog, type Watchdog } from '../../hack/attack/watchdog.ts'

const flags = ['--runtime-config=api/all=true']

/** Long ones, and random ones for longer: `npm run attack`. */
describe('attacks that once worked', function () {
  this.timeout(180_000)
  let plane: AttackedPlane
  let watchdog: Watchdog
  before(async () => {
    plane = await startAttackedPlane({ flags })
    await prepare(plane)
    watchdog = await startWatchdog(plane)
  })
  after(async () => {
    await watchdog.close()
    await plane.close()
  })

  for (const { title, run } of proofsInShort)
    it(title, async () => {
      assert.deepEqual(await run({ plane, watchdog }), [])
    })
})

describe('a random attack', function () {
  this.timeout(180_000)
  const attack = async (steps: number, bug?: PlantedBug): Promise<Report> => {
    const plane = await startAttackedPlane({ ...bug?.options, flags })
    try {
      return await runRandomAttack(plane, { seed: 1, steps, ms: 60_000, bug })
    } finally {
      await plane.close()
    }
  }

  it('reads and changes nothing that is not its own, and disturbs nobody else', async () => {
    const { findings, requests } = await attack(150)
    assert.deepEqual(findings, [])
    assert.ok(requests > 150)
  })

  it('detects bugs that were planted', async () => {
    const { findings } = await attack(150, together(bugsInShort))
    for (const { finding } of bugsInShort)
      assert.ok(
        findings.some(({ text }) => finding.test(text)),
        `${finding} is not in ${JSON.stringify(findings, undefined, 1)}`,
      )
  })
})
