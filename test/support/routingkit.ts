import assert from 'node:assert/strict'
import type { Authorizer } from '../../lib/authz/index.ts'
import { systemClock, systemRandom } from '../../lib/base/index.ts'
import {
  createAccessReviewHandlers,
  createBindingHandlers,
  createEvictionHandler,
  createRulesReviewHandler,
  createSelfSubjectReviewHandler,
  createTokenRequestHandler,
  createTokenReviewHandler,
  type VirtualHandler,
} from '../../lib/endpoints/index.ts'
import type { Registry } from '../../lib/registry/index.ts'
import { type ChainKit, createChainKit } from './chainkit.ts'
import { createEndpointKit } from './endpointkit.ts'

/** A user's permissions on every resource, as roles would give them. */
export interface Grant {
  /** '*': cluster-wide. */
  readonly namespace: string
  readonly verbs: ReadonlySet<string> | '*'
}

export function allows(grant: Grant, verb: string, namespace: string): boolean {
  return (grant.namespace === '*' || grant.namespace === namespace) && (grant.verbs === '*' || grant.verbs.has(verb))
}

const readVerbs = ['get', 'list', 'watch']
export const reader: Grant = { namespace: '*', verbs: new Set([...readVerbs, 'proxy']) }
export const fooReader: Grant = { namespace: 'foo', verbs: new Set(readVerbs) }
export const fooOwner: Grant = { namespace: 'foo', verbs: '*' }

/** A server in process with three namespaces of the same content, where requests are routed as in the real one. */
export interface RoutingKit {
  /** The chain as a user with this grant meets it. */
  as(grant: Grant): ChainKit
  /** The virtual handlers that ran, by name. */
  readonly done: readonly string[]
  /** Revisions of all that is stored, by key. */
  stored(): Promise<Map<string, number>>
  close(): Promise<void>
}

export const namespaces: readonly string[] = ['foo', 'bar', 'kube-system', 'namespaces']

export async function createRoutingKit(): Promise<RoutingKit> {
  const done: string[] = []
  const kit = await createEndpointKit({ virtual: (registry) => virtualHandlers(registry, done) })
  const chains: ChainKit[] = []
  const make = async (path: string, body: object): Promise<void> => {
    const { status, text } = await kit.request('POST', path, { body })
    assert.equal(status, 201, text)
  }
  for (const namespace of namespaces) {
    await make('/api/v1/namespaces', { metadata: { name: namespace } })
    const below = `/api/v1/namespaces/${namespace}`
    await make(`${below}/serviceaccounts`, { metadata: { name: 'superadmin' } })
    await make(`${below}/configmaps`, { metadata: { name: 'c' } })
    await make(`${below}/pods`, { metadata: { name: 'p1' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
  }
  return {
    done,
    as(grant) {
      const authorizer: Authorizer = {
        name: 'test',
        authorize: ({ verb, isResource, namespace }) => ({
          decision: isResource && allows(grant, verb, namespace) ? 'allow' : 'no-opinion',
          reason: '',
        }),
      }
      const user = { name: 'mallory', uid: '', groups: ['system:authenticated'], extra: {} }
      const chain = createChainKit({ resources: kit.resources, authorizer, user })
      chains.push(chain)
      return chain
    },
    async stored() {
      const { values } = await kit.store.range({ start: '/registry/', end: '/registry0' })
      return new Map(values.map(({ key, modRevision }) => [key, modRevision]))
    },
    async close() {
      await Promise.all(chains.map((chain) => chain.close()))
      await kit.close()
    },
  }
}

function virtualHandlers(registry: Registry, done: string[]): VirtualHandler[] {
  const pods = registry.resource({ group: '', resource: 'pods' })
  assert.ok(pods)
  const clock = systemClock
  return [
    ...createBindingHandlers({ pods, clock, gate: () => false }),
    createEvictionHandler({ registry, clock }),
    createTokenRequestHandler(
      {
        clock,
        random: systemRandom,
        async lookup(resource, namespace, name) {
          const found = registry.resource({ group: '', resource })
          const got = await found?.cache.get(found.target(namespace, name).key, { at: { kind: 'latest' } })
          return got?.entry?.object()
        },
        sign() {
          done.push('token')
          return Promise.resolve('signed')
        },
      },
      { issuer: 'i', audiences: ['i'], expirationSecondsMax: 0, extendExpiration: false },
    ),
    createTokenReviewHandler({
      reviewToken() {
        done.push('tokenreview')
        return Promise.resolve({ outcome: 'none' })
      },
      audiences: [],
    }),
    ...createAccessReviewHandlers({
      authorizer: {
        name: 'asked',
        authorize() {
          done.push('accessreview')
          return { decision: 'allow', reason: '' }
        },
      },
    }),
    createRulesReviewHandler({
      resolver: {
        rulesFor() {
          done.push('rulesreview')
          return Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] })
        },
      },
    }),
    createSelfSubjectReviewHandler({ clock }),
  ]
}

/** A request's JSON body, of the media type that its method takes. */
export function jsonBody(body: unknown, method = 'POST'): { body?: string; headers: Record<string, string> } {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return body === undefined ? { headers: {} } : { body: JSON.stringify(body), headers: { 'content-type': type } }
}
