import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { startControlPlane } from '../../../cmd/pilothouse/library.ts'

const pods = '/api/v1/namespaces/default/pods'
const spec = {
  automountServiceAccountToken: false,
  schedulingGates: [{ name: 'example.com/wait' }],
  containers: [{ name: 'c', image: 'i' }],
}

describe('the generation that a condition of a pod was derived from', () => {
  for (const [emulatedVersion, expected] of [
    ['1.36', [1, 2]],
    ['1.33', [undefined, undefined]],
  ] as const)
    it(`is ${expected[0] === undefined ? 'left out' : 'in the condition'} in ${emulatedVersion}`, async () => {
      await using plane = await startControlPlane({ emulatedVersion })
      const send = async (method: string, path: string, body: object): Promise<Pod> => {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
        const init = { method, headers: { 'content-type': type }, body: JSON.stringify(body) }
        const answer = await plane.fetch(path, init)
        assert.ok(answer.status < 300, await answer.clone().text())
        return (await answer.json()) as Pod
      }
      const made = await send('POST', pods, { metadata: { name: 'p' }, spec })
      await send('PATCH', `${pods}/p`, { spec: { schedulingGates: null } })
      await send('POST', `${pods}/p/binding`, { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } })
      const bound = (await (await plane.fetch(`${pods}/p`)).json()) as Pod
      const generationIn = ({ status }: Pod) =>
        status.conditions?.find(({ type }) => type === 'PodScheduled')?.observedGeneration
      assert.deepEqual([generationIn(made), generationIn(bound)], expected)
    })
})
