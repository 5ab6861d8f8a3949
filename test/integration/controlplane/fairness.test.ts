import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminToken } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type Answer, ask } from '../../support/plane.ts'

const group = '/apis/flowcontrol.apiserver.k8s.io/v1'
const aliceToken = 'alice-token'

/** Tries until nothing is thrown any more. */
async function settle(check: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 20_000
  for (;;)
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(10)
    }
}

describe('priority and fairness on a server', () => {
  let folder: string
  let server: Awaited<ReturnType<typeof startComposed>>
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairness-'))
    server = await startComposed(folder, ['--authorization-mode=AlwaysAllow'], {
      tokens: [`${aliceToken},alice,alice,""`],
    })
  })
  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const asAdmin = (path: string, more: Parameters<typeof ask>[2] = {}): Promise<Answer> =>
    ask(server.url, path, { token: adminToken, ...more })
  const asAlice = (path: string, more: Parameters<typeof ask>[2] = {}): Promise<Answer> =>
    ask(server.url, path, { token: aliceToken, ...more })
  const patch = (path: string, body: object): Promise<Answer> =>
    asAdmin(path, { method: 'PATCH', body, headers: { 'content-type': 'application/merge-patch+json' } })

  async function uidOf(resource: string, name: string): Promise<string> {
    return (await asAdmin(`${group}/${resource}/${name}`)).body.metadata.uid
  }

  it('has the schemas and levels of a stock cluster, each schema reporting that its level exists', async () => {
    const schemas = await asAdmin(`${group}/flowschemas`)
    deepEqual(
      schemas.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      [
        'catch-all',
        'exempt',
        'global-default',
        'kube-controller-manager',
        'kube-scheduler',
        'kube-system-service-accounts',
        'probes',
        'service-accounts',
        'system-leader-election',
        'system-node-high',
        'system-nodes',
      ],
    )
    equal((await asAdmin(`${group}/prioritylevelconfigurations`)).body.items.length, 8)
    await settle(async () => {
      const { body } = await asAdmin(`${group}/flowschemas/probes`)
      const { lastTransitionTime: _, ...condition } = body.status.conditions?.[0] ?? {}
      deepEqual(condition, {
        type: 'Dangling',
        status: 'False',
        reason: 'Found',
        message: 'This FlowSchema references the PriorityLevelConfiguration object named "exempt" and it exists',
      })
    })
  })

  it('names the schema and level of a request in its answer', async () => {
    const admin = await asAdmin('/api/v1/namespaces')
    equal(admin.headers['x-kubernetes-pf-flowschema-uid'], await uidOf('flowschemas', 'exempt'))
    equal(admin.headers['x-kubernetes-pf-prioritylevel-uid'], await uidOf('prioritylevelconfigurations', 'exempt'))
    const alice = await asAlice('/api/v1/namespaces')
    equal(alice.headers['x-kubernetes-pf-flowschema-uid'], await uidOf('flowschemas', 'global-default'))
  })

  it('restores mandatory objects, keeps those that an administrator changed, and annotates them', async () => {
    await patch(`${group}/prioritylevelconfigurations/workload-low`, {
      spec: { limited: { nominalConcurrencyShares: 7 } },
      metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } },
    })
    const kept = await asAdmin(`${group}/prioritylevelconfigurations/workload-low`)
    equal(kept.body.spec.limited.nominalConcurrencyShares, 7)
    const refused = await patch(`${group}/flowschemas/catch-all`, { spec: { matchingPrecedence: 5 } })
    equal(refused.status, 422)
  })

  it('reports a schema whose level is missing, and ignores it', async () => {
    const spec = {
      priorityLevelConfiguration: { name: 'nowhere' },
      matchingPrecedence: 3,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'alice' } }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    }
    const body = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name: 'lost' }, spec }
    equal((await asAdmin(`${group}/flowschemas`, { body })).status, 201)
    await settle(async () => {
      const { conditions = [] } = (await asAdmin(`${group}/flowschemas/lost`)).body.status
      equal(conditions[0]?.status, 'True')
      equal(conditions[0]?.reason, 'NotFound')
      match(conditions[0]?.message, /named "nowhere" but there is no such object$/)
    })
    const answer = await asAlice('/version')
    equal(answer.headers['x-kubernetes-pf-flowschema-uid'], await uidOf('flowschemas', 'global-default'))
    await asAdmin(`${group}/flowschemas/lost`, { method: 'DELETE' })
  })

  it('refuses a request without a seat in a level without queues: 429 in plain text, with Retry-After', async () => {
    const level = {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'closed' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 0,
          borrowingLimitPercent: 0,
          lendablePercent: 0,
          limitResponse: { type: 'Reject' },
        },
      },
    }
    const schema = {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      metadata: { name: 'closed' },
      spec: {
        priorityLevelConfiguration: { name: 'closed' },
        matchingPrecedence: 4,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'alice' } }],
            resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['secrets'], namespaces: ['*'] }],
          },
        ],
      },
    }
    equal((await asAdmin(`${group}/prioritylevelconfigurations`, { body: level })).status, 201)
    equal((await asAdmin(`${group}/flowschemas`, { body: schema })).status, 201)
    await settle(async () => {
      const { headers } = await asAlice('/api/v1/namespaces/default/secrets')
      equal(headers['x-kubernetes-pf-flowschema-uid'], await uidOf('flowschemas', 'closed'))
    })
    // A level without seats takes a request that is alone: here one whose body does not come.
    const held = request(`${server.url}/api/v1/namespaces/default/secrets`, {
      method: 'POST',
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${aliceToken}`, 'content-type': 'application/json', 'content-length': '100' },
    })
    held.on('error', () => {})
    held.write('{')
    await settle(async () => {
      const refused = await asAlice('/api/v1/namespaces/default/secrets')
      equal(refused.status, 429)
      equal(refused.text, 'Too many requests, please try again later.\n')
      equal(refused.headers['content-type'], 'text/plain; charset=utf-8')
      match(String(refused.headers['retry-after']), /^\d+$/)
      equal(refused.headers['x-kubernetes-pf-flowschema-uid'], await uidOf('flowschemas', 'closed'))
    })
    held.destroy()
    await settle(async () => equal((await asAlice('/api/v1/namespaces/default/secrets')).status, 200))
    const { text } = await asAdmin('/metrics')
    match(
      text,
      /apiserver_flowcontrol_rejected_requests_total\{flow_schema="closed",priority_level="closed",reason="concurrency-limit"\} [1-9]/,
    )
  })

  it('shows levels, queues and requests on its debug pages', async () => {
    const at = (page: string): Promise<Answer> => asAdmin(`/debug/api_priority_and_fairness/${page}`)
    const levels = await at('dump_priority_levels')
    equal(levels.headers['content-type'], 'text/plain; charset=utf-8')
    match(levels.text, /^PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, /)
    match(levels.text, /\nglobal-default, +0, +true, +false, +0, +0, /)
    match(
      (await at('dump_queues')).text,
      /\nleader-election, +15, +0, +0, +0, +0\.00000000ss, +0, +0, +0\.00000000ss\n/,
    )
    match(
      (await at('dump_requests')).text,
      /^PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, /,
    )
    const detailed = await at('dump_requests?includeRequestDetails=1')
    match(
      detailed.text,
      /\nexempt, +exempt, +-1, +-1, .* admin, +get, +\/debug\/api_priority_and_fairness\/dump_requests, /,
    )
  })

  it('counts dispatched requests', async () => {
    const { text } = await asAdmin('/metrics')
    for (const name of [
      'dispatched_requests_total',
      'current_executing_requests',
      'current_inqueue_requests',
      'nominal_limit_seats',
      'current_limit_seats',
      'request_wait_duration_seconds_bucket',
      'request_execution_seconds_bucket',
    ])
      match(text, new RegExp(`apiserver_flowcontrol_${name}{`))
  })
})

describe('a server without priority and fairness', () => {
  it('falls back to the limits of requests in flight', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairness-'))
    const server = await startComposed(folder, [
      '--enable-priority-and-fairness=false',
      '--authorization-mode=AlwaysAllow',
    ])
    try {
      const answer = await ask(server.url, '/api/v1/namespaces', { token: adminToken })
      equal(answer.status, 200)
      equal(answer.headers['x-kubernetes-pf-flowschema-uid'], undefined)
      equal((await ask(server.url, `${group}/flowschemas`, { token: adminToken })).body.items.length, 11)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
