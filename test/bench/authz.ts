// The cost of a decision: `node test/bench/authz.ts`. Figures are microseconds of CPU for one.
import { type AuthorizationAttributes, createRbac } from '../../lib/authz/index.ts'
import { silentLogger } from '../../lib/base/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'

const roles = 1000
const bindings = 2000
const groups = 100
const { authorizer, listeners } = createRbac({ log: silentLogger })
const verbs = ['get', 'list', 'watch', 'create', 'update']
const object = (kind: string, name: string, rest: object, namespace?: string): ApiObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...rest,
})

for (let at = 0; at < roles; at++) {
  const rules = Array.from({ length: 10 }, (_, rule) => ({
    apiGroups: ['', 'apps'],
    resources: [`things${(at * 7 + rule) % 500}`, `things${(at * 7 + rule) % 500}/status`],
    verbs,
  }))
  listeners.clusterroles.set(object('ClusterRole', `role-${at}`, { rules }))
}
for (let at = 0; at < bindings; at++) {
  const content = {
    subjects: [{ kind: 'Group', name: `group-${at % groups}` }],
    roleRef: { kind: 'ClusterRole', name: `role-${(at * 31) % roles}` },
  }
  if (at % 2 === 0) listeners.clusterrolebindings.set(object('ClusterRoleBinding', `b-${at}`, content))
  else listeners.rolebindings.set(object('RoleBinding', `b-${at}`, content, `ns-${at % 10}`))
}

const user = { name: 'jane', uid: '', groups: [0, 10, 21, 31, 45].map((at) => `group-${at}`), extra: {} }
const ask = (change: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
  user,
  verb: 'get',
  isResource: true,
  path: '',
  group: 'apps',
  version: 'v1',
  resource: 'things3',
  subresource: '',
  namespace: 'ns-1',
  name: 'x',
  ...change,
})
const context = { signal: new AbortController().signal }

function measure(title: string, run: () => unknown): void {
  for (let warm = 0; warm < 5000; warm++) run()
  const rounds = 200_000
  const start = process.cpuUsage()
  for (let round = 0; round < rounds; round++) run()
  const { user: used, system } = process.cpuUsage(start)
  process.stdout.write(`${title.padEnd(48)} ${((used + system) / rounds).toFixed(2)} us\n`)
}

const allowed = ask({})
const refused = ask({ resource: 'secrets' })
for (const [title, question] of [
  ['allowed', allowed],
  ['refused, all looked through', refused],
  ['refused, a subresource', ask({ resource: 'secrets', subresource: 'status' })],
  ['refused, a path', ask({ isResource: false, path: '/metrics' })],
] as const) {
  const answer = authorizer.authorize(question, context)
  measure(`${title} (${'decision' in answer ? answer.decision : ''})`, () => authorizer.authorize(question, context))
}
let turn = 0
measure('a binding is set anew', () => {
  const at = turn++ % bindings
  listeners.clusterrolebindings.set(
    object('ClusterRoleBinding', `b-${at}`, {
      subjects: [{ kind: 'Group', name: `group-${at % groups}` }],
      roleRef: { kind: 'ClusterRole', name: `role-${at % roles}` },
    }),
  )
})
