import assert from 'node:assert/strict'
import type { Container } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, isReady, startHollowPlane } from '../../support/hollowplane.ts'

const often = { periodSeconds: 1, failureThreshold: 1 }
const sh = (script: string) => ({ exec: { command: ['sh', '-c', script] } })

describe('probes and hooks of hollow pods', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(1)
  })
  after(async () => await hollow?.plane.stop())

  const create = async (name: string, container: Partial<Container>): Promise<void> => {
    await hollow.createPod(name, { containers: [{ name: 'main', image: 'i', resources: {}, ...container }] })
  }
  const untilEvent = async (name: string, event: string): Promise<void> =>
    await eventually(async () => (await hollow.eventsOf(name)).includes(event), `${name}: ${event}`)

  it('a command that fails keeps its container unready, in the words of a kubelet', async () => {
    await create('unready', { readinessProbe: { ...sh('echo not yet; exit 1'), ...often } })
    await untilEvent('unready', 'Unhealthy: Readiness probe failed: not yet\n')
    assert.equal(isReady(await hollow.pod('unready')), false)
  })

  it('a startup probe holds up the readiness probe, and both succeed', async () => {
    await create('starts', {
      startupProbe: { ...sh('cat /etc/hostname'), ...often },
      readinessProbe: { ...sh('true'), ...often },
    })
    const pod = await hollow.until('starts', isReady, 'the pod is ready')
    assert.equal(pod.status.containerStatuses?.[0]?.started, true)
  })

  it('a liveness probe that fails or takes too long restarts its container', async () => {
    await create('dies', { livenessProbe: { ...sh('sleep 30'), ...often, timeoutSeconds: 1 } })
    await hollow.until('dies', ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) > 0, 'a restart')
    const { lastState } = (await hollow.pod('dies')).status.containerStatuses?.[0] ?? {}
    assert.equal(lastState?.terminated?.exitCode, 137)
    await untilEvent('dies', 'Unhealthy: Liveness probe failed: command timed out: "sh -c sleep 30" timed out after 1s')
    await untilEvent('dies', 'Killing: Container main failed liveness probe, will be restarted')
  })

  it('a hook after the start that fails ends its container', async () => {
    await create('hooked', { lifecycle: { postStart: sh('exit 3') } })
    await untilEvent('hooked', 'FailedPostStartHook: PostStartHook failed')
    await hollow.until('hooked', ({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) > 0, 'a restart')
  })

  it('hooks before the stop run in the grace period of a deleted pod, and events name those that fail', async () => {
    const lifecycle = { preStop: sh('sleep 0.3; exit 3') }
    const other = { name: 'other', image: 'i', resources: {}, lifecycle: { preStop: { httpGet: { port: 80 } } } }
    await hollow.createPod('stops', {
      containers: [{ name: 'main', image: 'i', resources: {}, lifecycle }, other],
    })
    await hollow.until('stops', isReady, 'the pod is ready')
    await hollow.plane.client.resource(resources.core.v1.pods).delete({ namespace: 'default', name: 'stops' })
    await untilEvent('stops', 'FailedPreStopHook: PreStopHook is not run: hollow nodes open no connections')
    assert.ok((await hollow.pod('stops')).metadata.deletionTimestamp)
    await untilEvent('stops', 'FailedPreStopHook: PreStopHook failed')
    await eventually(
      async () =>
        await hollow.pod('stops').then(
          () => false,
          () => true,
        ),
      'the pod is gone',
    )
  })

  it('commands that the shell does not know count as successful, and are named by an event', async () => {
    const exec = { command: ['pg_isready', '-q'] }
    await create('unknown', { readinessProbe: { exec, ...often }, lifecycle: { postStart: { exec } } })
    await hollow.until('unknown', isReady, 'the pod is ready')
    const unknown = 'the shell of hollow nodes does not know the command "pg_isready -q"'
    await untilEvent('unknown', `ProbeWarning: Readiness probe warning: ${unknown}: it counts as successful`)
    await untilEvent('unknown', `FailedPostStartHook: PostStartHook is not run: ${unknown}`)
  })
})
