import assert from 'node:assert/strict'
import type { ListedGroup } from '../../../lib/discovery/index.ts'
import { resourceNames, unionOf } from '../../../lib/peers/union.ts'

/** `apps: v1 deployments,pods; v1beta1 things` of another replica. */
function groups(...texts: string[]): { name: string; versions: ReturnType<typeof version>[] }[] {
  return texts.map((text) => {
    const [name = '', rest = ''] = text.split(': ')
    return { name, versions: rest.split('; ').map(version) }
  })
}

function version(text: string) {
  const [version = '', resources = ''] = text.split(' ')
  const remoteResources = resources.split(',').map((resource) => ({ resource, by: 'peer' }))
  return { version, remoteResources, freshness: 'Current' as const }
}

/** Groups of this server, in the same notation. */
function own(...texts: string[]): ListedGroup[] {
  return groups(...texts).map(({ name, versions }) => ({
    name,
    versions: versions.map(({ version, remoteResources }) => ({
      version,
      resources: remoteResources.map(({ resource }) => ({
        plural: resource,
        table: { kind: resource, namespaced: true, singular: resource, verbs: ['get'] } as never,
      })),
    })),
  }))
}

const shown = (listed: readonly ListedGroup[]): string[] =>
  listed.map(
    ({ name, versions }) =>
      `${name}: ${versions.map((each) => `${each.version} ${resourceNames(each).join(',')}`).join('; ')}`,
  )

describe('discovery of several replicas', () => {
  const cases: readonly (readonly [title: string, own: string[], peers: string[][], union: string[]])[] = [
    ['is this server’s own where all serve the same', ['b: v1 x', 'a: v1 y'], [['a: v1 y', 'b: v1 x']], ['b: v1 x', 'a: v1 y']],
    ['has the groups of others behind its own, by their names', ['b: v1 x'], [['d: v1 z'], ['c: v2 w']], ['b: v1 x', 'c: v2 w', 'd: v1 z']],
    ['has the versions of others in the order of preference', ['a: v1beta1 x'], [['a: v1 x; v1alpha1 y']], ['a: v1 x; v1beta1 x; v1alpha1 y']],
    ['keeps its own order of versions where there are no others', ['a: v1beta1 x; v1 x'], [['a: v1 x']], ['a: v1beta1 x; v1 x']],
    ['has the resources of others among its own', ['a: v1 b,d'], [['a: v1 a,b'], ['a: v1 c']], ['a: v1 a,b,c,d']],
    ['has no core group of others', ['a: v1 x'], [[': v1 pods']], ['a: v1 x']],
  ] // biome-ignore format: one line a case
  for (const [title, local, peers, union] of cases)
    it(title, () => {
      const found = unionOf(
        own(...local),
        peers.map((texts) => groups(...texts)),
      )
      assert.deepEqual(shown(found), union)
    })

  it('describes resources of both servers as this server does', () => {
    const [group] = unionOf(own('a: v1 x'), [groups('a: v1 x,y')])
    const [found] = group?.versions ?? []
    const resources = found && 'remoteResources' in found ? found.remoteResources : []
    assert.deepEqual(
      resources.map(({ resource, by }) => [resource, by]),
      [
        ['x', undefined],
        ['y', 'peer'],
      ],
    )
  })
})
