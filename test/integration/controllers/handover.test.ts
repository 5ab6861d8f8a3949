import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { controllers } from '../../../lib/controllers/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { fillStore } from '../../support/controllerkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { createRollouts, type Rollouts, workloadControllers } from '../../support/rollouts.ts'
import { runControllers } from '../../support/runcontrollers.ts'
import { settled } from '../../support/settled.ts'
import { findStockManager, startStockManager } from '../../support/stockmanager.ts'

/** A controller manager of either make, over the plane of a test. */
interface Side {
  readonly name: string
  start(plane: ControlPlane): Promise<StartedSide>
}

interface StartedSide {
  /** Resolves when it has done what it wants to do. */
  settled(): Promise<unknown>
  end(): Promise<void>
}

const ours: Side = {
  name: 'ours',
  async start(plane) {
    const wanted = controllers.filter(({ aliases = [] }) =>
      aliases.some((alias) => workloadControllers.includes(alias)),
    )
    assert.equal(wanted.length, workloadControllers.length)
    const manager = await runControllers(plane, wanted)
    return { settled: () => settled(manager, plane.client), end: () => manager.close() }
  },
}

const stockProgram = findStockManager()

const stock: Side = {
  name: 'the stock one',
  async start(plane) {
    const manager = await startStockManager(stockProgram ?? '', await plane.kubeconfigFile(), workloadControllers)
    // Nothing of it shows that it is through.
    return { settled: () => sleep(2000), end: () => manager.kill() }
  },
}

describe('handover between controller managers', () => {
  const named = (name: string): readonly unknown[] =>
    readFileSync(join(import.meta.dirname, '../../golden/handover', name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)

  /** What the stock managers of 1.34 and later leave out. */
  const time = /"creationTimestamp":null,?/
  for (const [release, change] of [
    ['1.33', (data: string) => data],
    ['1.36', (data: string) => data.replace(time, '')],
  ] as const)
    describe(`revisions have the text that the stock manager of ${release} gives them`, () =>
      defineRevisions(release, change))

  function defineRevisions(emulatedVersion: string, change: (data: string) => string): void {
    let plane: ControlPlane
    before(async () => {
      plane = await startControlPlane({
        controllers: ['statefulset-controller', 'daemonset-controller'],
        emulatedVersion,
      })
    })
    after(() => plane.stop())

    type Case = { readonly set: string; readonly template: object; readonly name: string; readonly data: string }
    for (const { set, template, name, data } of named('revisions.jsonl') as readonly Case[])
      it(set, async () => {
        const spec = { selector: { matchLabels: { app: 'x' } }, template }
        const post = async (plural: string, kind: string, more: object) => {
          const body = JSON.stringify({
            apiVersion: 'apps/v1',
            kind,
            metadata: { name: set },
            spec: { ...spec, ...more },
          })
          const headers = { 'content-type': 'application/json' }
          const answer = await plane.fetch(`/apis/apps/v1/namespaces/default/${plural}`, {
            method: 'POST',
            body,
            headers,
          })
          assert.equal(answer.status, 201, await answer.text())
        }
        await post('statefulsets', 'StatefulSet', { serviceName: 'x', replicas: 0 })
        await post('daemonsets', 'DaemonSet', {})
        const revisions = async (): Promise<string> =>
          await (await plane.fetch('/apis/apps/v1/namespaces/default/controllerrevisions')).text()
        assert.match(data, time)
        const wanted = change(data)
        const texts = (text: string): number => text.split(`"data":${wanted},`).length - 1
        await eventuallyEquals(async () => texts(await revisions()), 2, `two revisions ${wanted}`, 10_000)
        // The name of a stateful set's revision is a hash of the text.
        const hasName = (await revisions()).includes(`"name":${JSON.stringify(name)}`)
        assert.equal(hasName, wanted === data, `the revision ${name}`)
      })
  }

  describe('from the stock manager, in the state in which it was seen to leave rollouts', () => {
    const folder = scratchFolder('handover')
    let plane: ControlPlane
    let side: StartedSide
    before(async () => {
      const stored = named('rollouts.jsonl') as readonly { readonly key: string; readonly object: object }[]
      await fillStore(join(folder.path, 'store'), new Map(stored.map(({ key, object }) => [key, object])))
      plane = await startControlPlane({ storage: { dir: folder.path } })
    })
    after(async () => {
      await side.end()
      await plane.stop()
      folder.remove()
    })

    it('no pod, set or revision is touched, and the rollouts end with the pods that they had begun with', async () => {
      const rollouts = createRollouts(plane)
      const before = await rollouts.state()
      assert.ok(before.pods.length > 0)
      side = await ours.start(plane)
      await rollouts.untilAtWork()
      await side.settled()
      assert.deepEqual(await rollouts.state(), before)
      await rollouts.finish(before)
    })
  })

  for (const [first, second] of [
    [stock, ours],
    [ours, stock],
  ] as const)
    describe(`in the middle of rollouts, from ${first.name} to ${second.name}`, function () {
      if (stockProgram === undefined) {
        it.skip('needs kube-controller-manager on PATH, or named by PILOTHOUSE_KUBE_CONTROLLER_MANAGER')
        return
      }
      this.timeout(240_000)
      let plane: ControlPlane
      let rollouts: Rollouts
      let side: StartedSide
      before(async () => {
        plane = await startControlPlane()
        rollouts = createRollouts(plane)
        side = await first.start(plane)
      })
      after(async () => {
        await side.end()
        await plane.stop()
      })

      it('no pod, set or revision is touched, and the rollouts end with the pods that they had begun with', async () => {
        await rollouts.begin()
        await side.end()
        const before = await rollouts.state()
        side = await second.start(plane)
        await rollouts.untilAtWork()
        await side.settled()
        assert.deepEqual(await rollouts.state(), before)
        await rollouts.finish(before)
      })
    })
})
