import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { observe } from '../../../lib/controllers/daemonset/observe.ts'
import { plan } from '../../../lib/controllers/daemonset/plan.ts'
import { hashLabel } from '../../../lib/controllers/daemonset/pod.ts'
import { statusAfter } from '../../../lib/controllers/daemonset/status.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

/**
 * `input.nodes`: nodes as `a zone=x taint:key=value:NoExecute`. `input.pods`: pods as `name a new ready`: name, node
 * (`?a`: waits for node a), revision, then `ready`, `failed`, `succeeded`, `going`, `fresh`. `input.pauses`: by node.
 */
runScripts('daemonset', ({ input, lister, nowMs, key }) => {
  const seen = observe(
    {
      sets: lister(resources.apps.v1.daemonsets),
      pods: lister(resources.core.v1.pods),
      nodes: lister(resources.core.v1.nodes),
      revisions: lister(resources.apps.v1.controllerrevisions),
    },
    key,
  )
  if (!seen) return undefined
  const pauses = (input['pauses'] ?? {}) as Record<string, number>
  const observed = {
    set: seen.set,
    pods: ((input['pods'] ?? []) as string[]).map((text) => podOf(text, nowMs)),
    nodes: ((input['nodes'] ?? []) as string[]).map(nodeOf),
    hash: 'new',
    pause: (node: string) => pauses[node] ?? 0,
  }
  const step = plan(observed, nowMs)
  const names = step.delete.map(({ metadata }) => metadata.name)
  return {
    ...(step.create.length === 0 ? {} : { create: step.create }),
    ...(names.length === 0 ? {} : { delete: names }),
    againAfterMs: step.againAfterMs,
    status: input['status'] === true ? statusAfter(observed, undefined, nowMs) : undefined,
  }
})

function nodeOf(text: string): Frozen<Node> {
  const [name = '', ...more] = text.split(' ')
  const labels: Record<string, string> = {}
  const taints: { key: string; value: string; effect: string }[] = []
  for (const each of more) {
    const [what = '', value = ''] = each.replace('taint:', '').split('=')
    const [plain = '', effect = ''] = value.split(':')
    if (each.startsWith('taint:')) taints.push({ key: what, value: plain, effect })
    else labels[what] = plain
  }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints },
    status: {},
  } as unknown as Frozen<Node>
}

function podOf(text: string, nowMs: number): Frozen<Pod> {
  const [name = '', node = '', revision = '', ...states] = text.split(' ')
  const is = (state: string): boolean => states.includes(state)
  const waits = node.startsWith('?')
  const fields = [{ key: 'metadata.name', operator: 'In', values: [node.slice(1)] }]
  const required = { nodeSelectorTerms: [{ matchFields: fields }] }
  const since = is('fresh') ? new Date(nowMs - 2000).toISOString() : '2025-01-01T00:00:00Z'
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels: { app: 'log', [hashLabel]: revision },
      creationTimestamp: '2025-01-01T00:00:00Z',
      ...(is('going') ? { deletionTimestamp: '2025-01-01T00:00:00Z' } : {}),
    },
    spec: waits
      ? { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }
      : { nodeName: node },
    status: {
      phase: is('failed') ? 'Failed' : is('succeeded') ? 'Succeeded' : is('ready') ? 'Running' : 'Pending',
      ...(is('ready') ? { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }] } : {}),
    },
  }
}
