// CPU of tracking owners of fields, without the server around it: `node test/bench/apply.ts`.
import { tables } from '../../api/index.ts'
import { createFieldManager } from '../../lib/apply/index.ts'
import { builtInKinds, createKindSet } from '../../lib/kinds/index.ts'
import type { ApiObject, GroupVersionKind } from '../../lib/object/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'

const roundMs = 300
const rounds = 5

/** Microseconds an operation takes: the best of some rounds, after a warm-up. */
function measure(operation: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    let count = 0
    while (performance.now() - start < roundMs) {
      for (let i = 0; i < 50; i++) operation()
      count += 50
    }
    if (round > 0) best = Math.min(best, ((performance.now() - start) * 1000) / count)
  }
  return best
}

const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: kinds.get })
const engine = createFieldManager()

function decode(object: object, gvk: GroupVersionKind): ApiObject {
  const body = Buffer.from(JSON.stringify(object))
  return scheme.objects.decodeObject(body, { mediaType: 'application/json', expected: gvk }).object
}

function contextOf(gvk: GroupVersionKind, manager: string) {
  const type = scheme.kind(gvk)?.struct
  return { gvk, type, manager, subresource: '', nowMs: 1.7e12, versions: undefined }
}

function report(what: string, operation: () => unknown, target?: number): void {
  const goal = target === undefined ? '' : `  (at most ${target})`
  console.log(`${what.padEnd(52)} ${measure(operation).toFixed(2).padStart(7)} µs${goal}`)
}

const mapGvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const map = (level: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default', uid: '3f1c2a9e', labels: { app: 'web', tier: 'frontend' } },
  data: { 'a.conf': 'x'.repeat(500), 'b.conf': 'y'.repeat(350), level },
})
const created = map('info')
const creating = contextOf(mapGvk, 'kubectl-create')
report(
  'ConfigMap of 1 KB: create',
  () => {
    delete created.metadata.managedFields
    engine.updateObject({ ...creating, live: undefined, object: created })
  },
  15,
)
const stored = decode(created, mapGvk)
const changed = JSON.stringify(decode({ ...created, data: { ...(created['data'] as object), level: 'debug' } }, mapGvk))
const parsed = JSON.parse(changed) as ApiObject
const sent = parsed.metadata.managedFields
report(
  'ConfigMap: update of one key',
  () => {
    parsed.metadata.managedFields = sent ?? []
    engine.updateObject({ ...contextOf(mapGvk, 'editor'), live: stored, object: parsed })
  },
  30,
)
const same = JSON.parse(JSON.stringify(stored)) as ApiObject
const sentSame = same.metadata.managedFields
report('ConfigMap: update of nothing', () => {
  same.metadata.managedFields = sentSame ?? []
  engine.updateObject({ ...contextOf(mapGvk, 'editor'), live: stored, object: same })
})

const gvk = { group: 'apps', version: 'v1', kind: 'Deployment' }
const probe = (path: string) => ({ httpGet: { path, port: 8080, scheme: 'HTTP' }, periodSeconds: 10 })
const container = (name: string, image: string) => ({
  name,
  image,
  args: ['--listen=:8080', '--verbose', `--name=${name}`],
  env: ['A', 'B', 'C', 'D'].map((key) => ({ name: `SETTING_${key}`, value: `value-of-${key}` })),
  ports: [{ name: 'http', containerPort: 8080 }],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '256Mi' } },
  livenessProbe: probe('/livez'),
  readinessProbe: probe('/readyz'),
  volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
})
const labels = { app: 'web', 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/part-of': 'shop' }
const deployment = (image: string): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', labels },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels },
      spec: {
        containers: [container('web', image), container('side', 'side:1'), container('proxy', 'proxy:1')],
        initContainers: [container('init', 'init:1')],
        volumes: [{ name: 'config', configMap: { name: 'settings' } }],
      },
    },
  },
})
const applier = contextOf(gvk, 'deployer')
const first = engine.applyObject({ ...applier, live: undefined, applied: deployment('web:1'), force: false }).object
let live = decode(first, gvk)
live.metadata.uid = '1'
const scaled = structuredClone(live)
;(scaled['spec'] as { paused: boolean }).paused = true
engine.updateObject({ ...contextOf(gvk, 'operator'), live, object: scaled })
const ready = structuredClone(scaled)
ready['status'] = {
  observedGeneration: 1,
  replicas: 3,
  conditions: [
    { type: 'Available', status: 'True', reason: 'r', message: 'm', lastUpdateTime: '2024-01-01T00:00:00Z' },
    { type: 'Progressing', status: 'True', reason: 'r', message: 'm', lastUpdateTime: '2024-01-01T00:00:00Z' },
  ],
}
engine.updateObject({ ...contextOf(gvk, 'controller'), subresource: 'status', live: scaled, object: ready })
live = decode(ready, gvk)
console.log(
  `Deployment: ${JSON.stringify(deployment('web:1')).length} bytes applied, ${JSON.stringify(live).length} stored, ` +
    `${live.metadata.managedFields?.length} managers`,
)
const again = deployment('web:1')
const next = deployment('web:2')
const less = deployment('web:1')
delete (less['spec'] as { replicas?: number }).replicas
report(
  'Deployment: apply of one change',
  () => engine.applyObject({ ...applier, live, applied: next, force: false }),
  250,
)
report('Deployment: apply of nothing new', () => engine.applyObject({ ...applier, live, applied: again, force: false }))
report('Deployment: apply that gives up a field', () =>
  engine.applyObject({ ...applier, live, applied: less, force: false }),
)
const twin = structuredClone(live)
const twinSent = twin.metadata.managedFields ?? []
;(twin['status'] as { replicas: number }).replicas = 2
report('Deployment: update of its status', () => {
  twin.metadata.managedFields = twinSent
  engine.updateObject({ ...contextOf(gvk, 'controller'), subresource: 'status', live, object: twin })
})
