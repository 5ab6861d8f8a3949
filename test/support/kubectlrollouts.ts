import assert from 'node:assert/strict'
import { eventually } from './eventually.ts'

/** Runs kubectl and answers its standard output. */
type Kubectl = (...line: string[]) => Promise<string>

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
    readonly status: { readonly phase: string }
  }[]
}

/** In place of nodes: the pods of the deployment run, and are ready. */
async function runPods(kubectl: Kubectl, selector: string): Promise<void> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-l', selector, '-o', 'json')) as PodList
  const waiting = items.filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase !== 'Running')
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now }] }
  const patch = JSON.stringify({ status })
  for (const { metadata } of waiting)
    await kubectl('patch', 'pod', metadata.name, '--subresource=status', '-p', patch).catch(() => {})
}

/**
 * Rolls a deployment out, back and out again, as users do it, then deletes it and leaves its pods. `disturb` is called in
 * the middle of the first rollout.
 */
export async function rollOutAndDelete(kubectl: Kubectl, disturb: () => Promise<void>): Promise<void> {
  let isOver = false
  const running = (async () => {
    while (!isOver) await runPods(kubectl, 'app=roll').catch(() => {})
  })()
  try {
    await kubectl('create', 'deployment', 'roll', '--image=nginx', '--replicas=2')
    await kubectl('wait', '--for=condition=Available', 'deployment/roll', '--timeout=20s')
    const rolledOut = () => kubectl('rollout', 'status', 'deployment/roll', '--timeout=30s')
    assert.match(await rolledOut(), /successfully rolled out/)
    await kubectl('set', 'image', 'deployment/roll', 'nginx=nginx:2')
    await disturb()
    assert.match(await rolledOut(), /successfully rolled out/)
    await kubectl('rollout', 'undo', 'deployment/roll')
    await rolledOut()
    const image = '-o=jsonpath={.spec.template.spec.containers[0].image}'
    assert.equal(await kubectl('get', 'deployment', 'roll', image), 'nginx')
    await kubectl('rollout', 'restart', 'deployment/roll')
    await rolledOut()
    assert.match(await kubectl('rollout', 'history', 'deployment/roll'), /^4 /m)
    await kubectl('autoscale', 'deployment', 'roll', '--min=1', '--max=3')
    assert.match(await kubectl('get', 'hpa', 'roll', '-o', 'name'), /horizontalpodautoscaler/)
    assert.equal((await kubectl('create', 'token', 'default')).trim().split('.').length, 3)
  } finally {
    isOver = true
    await running
  }
  await kubectl('delete', 'deployment', 'roll', '--cascade=orphan')
  const left = (resource: string) => async (): Promise<number> =>
    (await kubectl('get', resource, '-l', 'app=roll', '-o', 'name')).split('\n').length - 1
  assert.deepEqual([await left('replicasets')(), await left('pods')()], [3, 2])
  await kubectl('delete', 'replicasets', '-l', 'app=roll', '--cascade=foreground', '--timeout=20s')
  await eventually(async () => (await left('pods')()) === 0, 'the pods go with their set')
  await kubectl('delete', 'hpa', 'roll')
}
