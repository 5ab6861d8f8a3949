import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { revisionLabel } from '../../../lib/controllers/statefulset/identity.ts'
import { observe } from '../../../lib/controllers/statefulset/observe.ts'
import { type Action, plan } from '../../../lib/controllers/statefulset/plan.ts'
import { statusAfter } from '../../../lib/controllers/statefulset/status.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { type Given, runScripts } from '../../support/controllerscript.ts'

/**
 * `input.replicas` and `input.spec` make the set default/web, `input.pods` its pods as `web-0 new ready`: name, revision
 * (`old`, `new`), then `ready`, `running`, `pending`, `failed`, `succeeded`, `going`. `input.claims` are claims as objects.
 */
runScripts('statefulset', (given: Given) => {
  const { input, lister, nowMs, key } = given
  const { statefulsets, controllerrevisions } = resources.apps.v1
  const { pods, persistentvolumeclaims } = resources.core.v1
  const seen = observe(
    {
      sets: lister(statefulsets),
      pods: lister(pods),
      claims: lister(persistentvolumeclaims),
      revisions: lister(controllerrevisions),
    },
    key,
    input['severalUnavailable'] === true,
  )
  if (!seen) return undefined
  const extra = ((input['pods'] ?? []) as string[]).map((text) => podOf(text, nowMs))
  const all = { ...seen, pods: [...seen.pods, ...extra] }
  const template = seen.set.spec.template
  const revisions = { current: { name: 'old', template }, update: { name: 'new', template } }
  const { phases, againAfterMs } = plan(all, revisions, nowMs)
  const { phases: _, ...rest } = { phases, againAfterMs }
  const actions = phases.flat().map(textOf)
  const status = input['status'] === true ? statusAfter(seen.set, all.pods, revisions, 0, nowMs) : undefined
  return { ...rest, actions, status }
})

function textOf(action: Action): string {
  if (action.do === 'retain')
    return `retain ${action.claims.map(({ metadata }) => `${metadata.name}: ${(metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`).join(', ')}`).join('; ')}`
  if (action.do === 'warn') return `warn ${action.claim}`
  const { name, labels } = action.pod.metadata
  const claims = action.do === 'create' || action.do === 'claim' ? action.claims : []
  return [
    action.do,
    name,
    ...(action.do === 'create' ? [labels?.[revisionLabel]] : []),
    ...claims.map(({ metadata }) => `+${metadata.name}`),
    ...(action.do === 'create' && action.terminating ? [`terminating ${action.terminating}`] : []),
  ].join(' ')
}

function podOf(text: string, nowMs: number): Frozen<Pod> {
  const [name = '', revision = '', ...states] = text.split(' ')
  const is = (state: string): boolean => states.includes(state)
  const phase =
    is('ready') || is('running') ? 'Running' : is('failed') ? 'Failed' : is('succeeded') ? 'Succeeded' : 'Pending'
  const fresh = is('fresh') ? new Date(nowMs - 2000).toISOString() : '2025-01-01T00:00:00Z'
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      name,
      uid: name,
      labels: { app: 'web', [revisionLabel]: revision, 'statefulset.kubernetes.io/pod-name': name },
      ...(is('going') ? { deletionTimestamp: '2025-01-01T00:00:00Z' } : {}),
    },
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-${name}`, readOnly: false } }] },
    status: {
      phase,
      ...(is('ready') ? { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: fresh }] } : {}),
    },
  }
}
