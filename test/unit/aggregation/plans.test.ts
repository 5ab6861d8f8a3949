import assert from 'node:assert/strict'
import {
  type ApiService,
  asApiService,
  automanagedLabel,
  withAvailability,
} from '../../../lib/aggregation/apiservice.ts'
import { type BackendObjects, checkObjects } from '../../../lib/aggregation/availability.ts'
import { mergeGroups } from '../../../lib/aggregation/priorities.ts'
import { planRegistrations } from '../../../lib/aggregation/registration.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { withoutConflicts } from '../../../lib/openapi/remote.ts'
import type { ServedGroup } from '../../../lib/schema/index.ts'

const table = new Map([
  ['apps', { group: 17_800, versions: { v1: 15 } }],
  ['batch', { group: 17_400, versions: { v1: 15 } }],
])
const custom = [{ plural: 'things', table: {}, published: {} }]
const served = (...names: string[]): ServedGroup[] =>
  names.map((name) => {
    const [group = '', version = ''] = name.split('/')
    const resources = table.has(group) ? [{ plural: 'things', table: {} }] : custom
    return { name: group, versions: [{ version, resources }] } as unknown as ServedGroup
  })

function service(group: string, version: string, more: object = {}, label?: string): ApiService {
  return asApiService({
    metadata: {
      name: `${version}.${group}`,
      ...(label === undefined ? {} : { labels: { [automanagedLabel]: label } }),
    },
    spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 100, ...more },
  } as unknown as ApiObject)
}
const stored = (...services: ApiService[]): Map<string, ApiService> =>
  new Map(services.map((one) => [one.metadata.name ?? '', one]))

describe('registrations of group versions', () => {
  const plan = (
    groups: ServedGroup[],
    services: Map<string, ApiService>,
    atStart: boolean,
  ): Record<string, string[]> => {
    const { create, update, remove } = planRegistrations(groups, services, table, atStart)
    const names = (some: readonly ApiService[]): string[] => some.map(({ metadata }) => metadata.name ?? '')
    return { create: names(create), update: names(update), remove: [...remove] }
  }
  const cases: [string, ServedGroup[], Map<string, ApiService>, boolean, Record<string, string[]>][] = [
    [
      'all are made at the start',
      served('apps/v1', 'a.example.com/v1'),
      stored(),
      true,
      { create: ['v1.apps', 'v1.a.example.com'] },
    ],
    [
      'later only custom ones are',
      served('apps/v1', 'a.example.com/v1'),
      stored(),
      false,
      { create: ['v1.a.example.com'] },
    ],
    [
      "a user's edit of a built-in one stays",
      served('apps/v1'),
      stored(service('apps', 'v1', {}, 'onstart')),
      false,
      {},
    ],
    [
      'until the next start',
      served('apps/v1'),
      stored(service('apps', 'v1', {}, 'onstart')),
      true,
      { update: ['v1.apps'] },
    ],
    [
      'a custom one is put right at any time',
      served('a.example.com/v1'),
      stored(service('a.example.com', 'v1', { versionPriority: 7 }, 'true')),
      false,
      { update: ['v1.a.example.com'] },
    ],
    [
      'one that is no longer served goes',
      served(),
      stored(service('a.example.com', 'v1', {}, 'true')),
      false,
      { remove: ['v1.a.example.com'] },
    ],
    [
      'a built-in one of a former release goes at the start',
      served(),
      stored(service('old', 'v1', {}, 'onstart')),
      true,
      { remove: ['v1.old'] },
    ],
    ['and not later', served(), stored(service('old', 'v1', {}, 'onstart')), false, {}],
    [
      "a user's own is never touched",
      served('a.example.com/v1'),
      stored(
        service('a.example.com', 'v1', { service: { name: 's', namespace: 'n' } }),
        service('b.example.com', 'v1'),
      ),
      true,
      {},
    ],
  ]
  for (const [title, groups, services, atStart, expected] of cases)
    it(title, () => {
      assert.deepEqual(plan(groups, services, atStart), { create: [], update: [], remove: [], ...expected })
    })
})

describe('groups of several servers in discovery', () => {
  const remote = (name: string): { at: { group: string; version: string }; version: never } => {
    const [group = '', version = ''] = name.split('/')
    return { at: { group, version }, version: { version, remoteResources: [], freshness: 'Current' } as never }
  }
  const listed = (groups: ServedGroup[], others: string[], services: ApiService[]): string[] =>
    mergeGroups(groups, others.map(remote), stored(...services), table).flatMap(({ name, versions }) =>
      versions.map((one) => `${name}/${one.version}${'remoteResources' in one ? ' remote' : ''}`),
    )

  it('are in the order of priority, then of names', () => {
    const services = [
      service('metrics.k8s.io', 'v1beta1', { groupPriorityMinimum: 17_500 }),
      service('z.example.com', 'v1'),
    ]
    assert.deepEqual(
      listed(
        served('apps/v1', 'batch/v1', 'a.example.com/v1'),
        ['z.example.com/v1', 'metrics.k8s.io/v1beta1'],
        services,
      ),
      ['apps/v1', 'metrics.k8s.io/v1beta1 remote', 'batch/v1', 'a.example.com/v1', 'z.example.com/v1 remote'],
    )
  })

  it('may share a group, whose versions are in the order of their priority', () => {
    const services = [
      service('a.example.com', 'v1', { versionPriority: 1 }),
      service('a.example.com', 'v2beta1', { versionPriority: 200 }),
      service('a.example.com', 'v1beta1', { versionPriority: 1 }),
    ]
    assert.deepEqual(listed(served('a.example.com/v1'), ['a.example.com/v1beta1', 'a.example.com/v2beta1'], services), [
      'a.example.com/v2beta1 remote',
      'a.example.com/v1',
      'a.example.com/v1beta1 remote',
    ])
  })

  it('name a group version of two servers once: the other server answers for it', () => {
    assert.deepEqual(listed(served('a.example.com/v1'), ['a.example.com/v1'], [service('a.example.com', 'v1')]), [
      'a.example.com/v1 remote',
    ])
  })
})

describe('availability of a backend', () => {
  const remote = service('a.example.com', 'v1', { service: { namespace: 'n', name: 's', port: 443 } })
  const slice = (more: object = {}): object => ({
    ports: [{ name: 'https', port: 8443 }],
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
    ...more,
  })
  const clusterIp = { spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443 }] } }
  const cases: [string, object, object | undefined][] = [
    ['is decided by the backend where all is there', { service: clusterIp, slices: [slice()] }, undefined],
    [
      'needs its service',
      { service: undefined, slices: [] },
      { reason: 'ServiceNotFound', message: 'service/s in "n" is not present' },
    ],
    [
      'needs its port',
      { service: { spec: { ports: [{ port: 80 }] } }, slices: [slice()] },
      { reason: 'ServicePortError', message: 'service/s in "n" is not listening on port 443' },
    ],
    [
      'needs endpoints',
      { service: clusterIp, slices: [] },
      { reason: 'EndpointsNotFound', message: 'cannot find endpoints for service/s in "n"' },
    ],
    [
      'needs a ready endpoint',
      {
        service: clusterIp,
        slices: [slice({ endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false } }] })],
      },
      {
        reason: 'MissingEndpoints',
        message: 'endpoints for service/s in "n" have no addresses with port name "https"',
      },
    ],
    [
      'of an external name is decided by the backend',
      { service: { spec: { type: 'ExternalName' } }, slices: [] },
      undefined,
    ],
  ]
  for (const [title, objects, expected] of cases)
    it(title, () => {
      const found = checkObjects(remote, objects as BackendObjects)
      assert.deepEqual(found, expected && { status: 'False', ...expected })
    })

  it('is written only when it changes, and keeps the time of the last change', () => {
    const passed = { status: 'True', reason: 'Passed', message: 'all checks passed' } as const
    const first = withAvailability(remote, passed, '2026-01-01T00:00:00Z')
    assert.equal(first?.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z')
    const after = { ...remote, status: first } as ApiService
    assert.equal(withAvailability(after, passed, '2026-02-02T00:00:00Z'), undefined)
    const other = withAvailability(after, { ...passed, reason: 'Local' }, '2026-02-02T00:00:00Z')
    assert.equal(other?.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z')
  })
})

describe('OpenAPI of several servers', () => {
  it('keeps different definitions of one name', () => {
    const reference = { $ref: '#/definitions/Thing' }
    const merged = withoutConflicts(
      {
        paths: { '/a': reference },
        definitions: { Thing: { type: 'string' }, Same: { type: 'object' }, Other: reference },
      },
      new Map([
        ['Thing', '{"type":"object"}'],
        ['Same', '{"type":"object"}'],
        ['Thing_v2', '{}'],
      ]),
    )
    assert.deepEqual(merged.paths, { '/a': { $ref: '#/definitions/Thing_v3' } })
    assert.deepEqual(Object.keys(merged.definitions), ['Thing_v3', 'Same', 'Other'])
  })
})
