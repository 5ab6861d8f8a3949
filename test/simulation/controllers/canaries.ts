import { resources } from '../../../api/gen/resources.ts'
import type { Transport } from '../../../lib/client/index.ts'
import type { ControllerDefinition, Informer } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../../lib/object/index.ts'
import type { Request } from './network.ts'
import type { Theme } from './user.ts'

/** A way in which one controller is wrong, and how the simulation must notice. */
export interface Canary {
  /** The seed that is tried first: one that has found it. */
  readonly seed: number
  readonly what: string
  readonly finds: RegExp
  readonly themes: readonly Theme[]
  /** The controller's. */
  readonly account: string
  /** Managers elect a leader. */
  readonly isElected?: boolean
  /** Requests of that account go through this. */
  wrap?(transport: Transport): Transport
  /** Makes the definition worse. */
  change?(definition: ControllerDefinition): ControllerDefinition
}

/** Names the processes' own way to the Lease, as if a controller's account. */
export const electionAccount = 'leader-election'

/** Longer than the simulation waits for rest, so that it is seen after that. */
const circleMs = 95_000

type Send = (request: Request) => Promise<unknown>

/** The requests that `matches` picks are done by `instead`. */
function changed(matches: (request: Request) => boolean, instead: (request: Request, send: Send) => Promise<unknown>) {
  return (transport: Transport): Transport => ({
    send: (request) => (matches(request) ? instead(request, (each) => transport.send(each)) : transport.send(request)),
    watch: (request, sink) => transport.watch(request, sink),
    close: () => transport.close(),
  })
}

function is(method: string, resource: string, subresource?: string): (request: Request) => boolean {
  return (request) =>
    request.method === method &&
    request.type?.resource === resource &&
    (subresource === undefined || (request.url.split('?', 1)[0] ?? '').endsWith(`/${subresource}`))
}

async function swallow(request: Request): Promise<unknown> {
  return request.object ?? { metadata: {} }
}

async function twice(request: Request, send: Send): Promise<unknown> {
  await send(request)
  return await send(request)
}

// Canaries change objects of any kind in places that they know.
type Loose = Record<string, Record<string, unknown>>

function withObject(change: (object: Loose) => Loose) {
  return (request: Request, send: Send): Promise<unknown> =>
    send({ ...request, object: change(request.object as Loose) as Frozen<ApiObject> })
}

/** Shows the objects of one resource otherwise than they are. */
function seenAs(resource: string, change: (object: Loose) => Loose) {
  return (definition: ControllerDefinition): ControllerDefinition => ({
    ...definition,
    start: (context) =>
      definition.start({
        ...context,
        informer: (type) =>
          type.resource === resource ? shown(context.informer(type), change) : context.informer(type),
      }),
  })
}

function shown<T>(informer: Informer<T>, change: (object: Loose) => Loose): Informer<T> {
  const as = (object: Frozen<T>): Frozen<T> => change(object as Loose) as Frozen<T>
  return new Proxy(informer, {
    get(target, name) {
      if (name === 'get') {
        return (key: string) => {
          const object = target.get(key)
          return object && as(object)
        }
      }
      const part: unknown = Reflect.get(target, name, target)
      return typeof part === 'function' ? part.bind(target) : part
    },
  })
}

export const canaries: readonly Canary[] = [
  {
    seed: 2,
    what: 'the replicaset controller makes each pod twice',
    finds: /is pod \d of a set of/,
    themes: ['replicas'],
    account: 'replicaset-controller',
    wrap: changed(is('POST', 'pods'), twice),
  },
  {
    seed: 9,
    what: 'the deployment controller scales sets beyond its surge',
    finds: /have \d+ replicas, more than/,
    themes: ['deployments'],
    account: 'deployment-controller',
    wrap: changed(
      is('PUT', 'replicasets'),
      withObject(({ spec, ...rest }) => ({ ...rest, spec: { ...spec, replicas: Number(spec?.['replicas']) + 3 } })),
    ),
  },
  {
    seed: 17,
    what: 'the deployment controller takes away more available pods than it may',
    finds: /keeps \d+ available pods, fewer than/,
    themes: ['deployments'],
    account: 'deployment-controller',
    change: seenAs('deployments', ({ spec, ...rest }) => ({
      ...rest,
      spec: {
        ...spec,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
      },
    })),
  },
  {
    seed: 3,
    what: 'the statefulset controller forgets partitions',
    finds: /protected by its partition/,
    themes: ['statefulsets'],
    account: 'statefulset-controller',
    change: seenAs('statefulsets', ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
    })),
  },
  {
    seed: 2,
    what: 'the statefulset controller takes ordered sets for parallel ones',
    finds: /was made, though .* is not ready|is deleted before/,
    themes: ['statefulsets'],
    account: 'statefulset-controller',
    change: seenAs('statefulsets', ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, podManagementPolicy: 'Parallel' },
    })),
  },
  {
    seed: 1,
    what: 'the daemonset controller makes each pod twice',
    finds: /was made for .*, beside/,
    themes: ['daemonsets'],
    account: 'daemon-set-controller',
    wrap: changed(is('POST', 'pods'), twice),
  },
  {
    seed: 1,
    what: 'the job controller counts a success too many',
    finds: /counts \d+ successes of/,
    themes: ['jobs'],
    account: 'job-controller',
    wrap: changed(
      is('PUT', 'jobs', 'status'),
      withObject(({ status, ...rest }) => ({
        ...rest,
        status: { ...status, succeeded: Number(status?.['succeeded'] ?? 0) + 1 },
      })),
    ),
  },
  {
    seed: 7,
    what: 'the garbage collector lets an owner go before its orphans',
    finds: /was to leave it behind|has lost all its owners/,
    themes: ['deployments', 'replicas', 'daemonsets'],
    account: 'generic-garbage-collector',
    wrap: changed(
      (request) => request.method === 'PATCH' && JSON.stringify(request.body?.value ?? {}).includes('ownerReferences'),
      swallow,
    ),
  },
  {
    seed: 12,
    what: 'the garbage collector deletes nothing',
    finds: /lost all its owners|is still being deleted|left behind/,
    themes: ['deployments', 'owners'],
    account: 'generic-garbage-collector',
    wrap: changed(({ method }) => method === 'DELETE', swallow),
  },
  {
    seed: 1,
    what: 'the namespace controller takes every namespace for empty',
    finds: /is gone, but not/,
    themes: ['owners', 'deployments'],
    account: 'namespace-controller',
    wrap: changed(
      ({ method, type, url }) => method === 'GET' && type !== undefined && /\/namespaces\/[^/]+\//.test(url),
      async () => ({ metadata: {}, items: [] }),
    ),
  },
  {
    seed: 32,
    what: 'the endpoints controller loses updates',
    finds: /endpoints .* is /,
    themes: ['services'],
    account: 'endpoint-controller',
    wrap: changed(is('PUT', 'endpoints'), swallow),
  },
  {
    seed: 32,
    what: 'the endpointslice controller loses updates',
    finds: /slices of .* is /,
    themes: ['services'],
    account: 'endpointslice-controller',
    wrap: changed(is('PUT', 'endpointslices'), swallow),
  },
  {
    seed: 2,
    what: 'the quota controller loses its counts',
    finds: /quota .* is |writes/,
    themes: ['quotas'],
    account: 'resourcequota-controller',
    wrap: changed(is('PUT', 'resourcequotas'), swallow),
  },
  {
    seed: 7,
    what: 'the disruption controller allows one eviction too many',
    finds: /is evicted, which leaves|allowed is|writes/,
    themes: ['budgets'],
    account: 'disruption-controller',
    wrap: changed(
      is('PUT', 'poddisruptionbudgets', 'status'),
      withObject(({ status, ...rest }) => ({
        ...rest,
        status: { ...status, disruptionsAllowed: Number(status?.['disruptionsAllowed'] ?? 0) + 1 },
      })),
    ),
  },
  {
    seed: 2,
    what: 'the pod garbage collector leaves pods of lost nodes',
    finds: /which is gone|is still being deleted|left behind/,
    themes: ['nodes'],
    account: 'pod-garbage-collector',
    wrap: changed(({ method }) => method === 'DELETE', swallow),
  },
  {
    seed: 1,
    what: 'the account controller makes no accounts',
    finds: /account of .* is false/,
    themes: ['owners'],
    account: 'service-account-controller',
    wrap: changed(({ method }) => method === 'POST', swallow),
  },
  {
    seed: 3,
    what: 'the replicationcontroller controller writes in circles',
    finds: /writes|does not come to rest/,
    themes: ['replicas'],
    account: 'replication-controller',
    change: (definition) => ({
      ...definition,
      start: (context) =>
        definition.start({
          ...context,
          reconcile: (options) =>
            context.reconcile({
              ...options,
              async turn(key, turn) {
                await options.turn(key, turn)
                const [namespace, name] = key.split('/')
                const all = context.client.resource(resources.core.v1.replicationcontrollers)
                const live = await all.get({ namespace, name })
                const message = String(Math.floor(context.clock.monotonicMs() / circleMs))
                const conditions = [{ type: 'Circle', status: 'True', message }]
                await all.updateStatus({
                  ...live,
                  status: { ...live.status, replicas: live.status?.replicas ?? 0, conditions },
                })
                return { againAfterMs: circleMs }
              },
            }),
        }),
    }),
  },
  {
    seed: 151,
    what: 'the quota controller takes back what has been charged',
    finds: /and quota .* allows/,
    themes: ['quotas'],
    account: 'resourcequota-controller',
    wrap: changed(
      is('PUT', 'resourcequotas', 'status'),
      withObject(({ status, ...rest }) => ({ ...rest, status: { ...status, used: noneOf(status?.['used']) } })),
    ),
  },
  {
    seed: 2,
    what: 'the token controller fills in no tokens',
    finds: /secret .*: token is false/,
    themes: ['secrets'],
    account: 'tokens-controller',
    wrap: changed(is('PUT', 'secrets'), swallow),
  },
  {
    seed: 2,
    what: 'the token controller tells of the tokens that it makes',
    finds: /an event holds what a secret does/,
    themes: ['secrets'],
    account: 'tokens-controller',
    change: (definition) => ({
      ...definition,
      start(context) {
        context.informer(resources.core.v1.secrets).subscribe(({ object }) => {
          const { token } = (object.data ?? {}) as Record<string, string>
          if (token) context.events.event(object as Frozen<ApiObject>, 'Normal', 'Filled', `with ${token}`)
        })
        return definition.start(context)
      },
    }),
  },
  {
    seed: 2,
    what: 'the replicaset controller floods its sets with events',
    finds: /: \d+ Normal events|that say almost the same/,
    themes: ['replicas'],
    account: 'replicaset-controller',
    wrap: changed(is('POST', 'events'), async (request, send) => {
      const say = (message: string): Promise<unknown> =>
        send({ ...request, object: { ...request.object, message } as Frozen<ApiObject> })
      for (let index = 0; index < 30; index++) await say('again and again '.repeat(index))
      return await send(request)
    }),
  },
  {
    seed: 2,
    what: 'the autoscaler goes beyond its bounds',
    finds: /beyond the bounds of its autoscaler/,
    themes: ['autoscaling'],
    account: 'horizontal-pod-autoscaler',
    wrap: changed(
      (request) => request.method === 'PUT' && request.url.includes('/scale'),
      withObject(({ spec, ...rest }) => ({ ...rest, spec: { replicas: Number(spec?.['replicas']) + 5 } })),
    ),
  },
  {
    seed: 7,
    what: 'the autoscaler does not know the load',
    finds: /replicas of [\d.]+ is/,
    themes: ['autoscaling'],
    account: 'horizontal-pod-autoscaler',
    wrap: changed(
      ({ url }) => url.startsWith('/apis/metrics.k8s.io/'),
      async () => ({ items: [] }),
    ),
  },
  {
    seed: 1,
    what: 'a candidate takes the lease while another one holds it',
    finds: /leads while another one does/,
    themes: ['pods'],
    isElected: true,
    account: electionAccount,
    wrap: changed(is('GET', 'leases'), async (request, send) => {
      const { spec, ...rest } = (await send(request)) as Loose
      return { ...rest, spec: { ...spec, holderIdentity: '' } }
    }),
  },
  {
    seed: 1,
    what: 'a leader keeps the lease when it ends',
    finds: /nobody leads after/,
    themes: ['pods'],
    isElected: true,
    account: electionAccount,
    wrap: changed(
      (request) => is('PUT', 'leases')(request) && JSON.stringify(request.object).includes('"holderIdentity":""'),
      swallow,
    ),
  },
]

function noneOf(used: unknown): Record<string, string> {
  return Object.fromEntries(Object.keys((used ?? {}) as object).map((name) => [name, '0']))
}
