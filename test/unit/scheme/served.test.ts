import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { parseRelease } from '../../../lib/features/index.ts'
import { createScheme, type RuntimeConfig, selectServed, unknownRuntimeConfig } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables })

/** `group/version/resource` of all that is served. */
function served(runtimeConfig: RuntimeConfig, release = '1.33'): Set<string> {
  const groups = selectServed(scheme, { runtimeConfig, release: parseRelease(release), gate: () => true })
  return new Set(
    groups.flatMap(({ name, versions }) =>
      versions.flatMap(({ version, resources }) => resources.map(({ plural }) => `${name}/${version}/${plural}`)),
    ),
  )
}

const deployments = 'apps/v1/deployments'
const pods = '/v1/pods'
const bundles = 'certificates.k8s.io/v1beta1/clustertrustbundles'
const alphaBundles = 'certificates.k8s.io/v1alpha1/clustertrustbundles'
const candidates = 'coordination.k8s.io/v1alpha2/leasecandidates'

describe('scheme: what is served', () => {
  const cases: readonly (readonly [
    title: string,
    config: RuntimeConfig,
    yes: readonly string[],
    no: readonly string[],
  ])[] = [
    ['stable versions by default', {}, [deployments, pods], [bundles, alphaBundles]],
    ['beta versions on demand', { 'api/beta': true }, [deployments, bundles], [alphaBundles]],
    ['alpha versions on demand', { 'api/alpha': true }, [deployments, alphaBundles], [bundles]],
    ['everything', { 'api/all': true }, [deployments, bundles, alphaBundles], []],
    ['nothing but what is named', { 'api/all': false, v1: true }, [pods], [deployments, bundles]],
    ['the core group by its path', { 'api/v1': false }, [deployments], [pods]],
    ['no stable versions', { 'api/ga': false, 'api/beta': true }, [bundles], [deployments, pods]],
    ['one version', { 'certificates.k8s.io/v1alpha1': true }, [alphaBundles], [bundles, candidates]],
    ['one resource off', { 'apps/v1/deployments': false }, ['apps/v1/daemonsets'], [deployments]],
    [
      'one resource of a version that is off',
      { 'apps/v1': false, 'apps/v1/deployments': true },
      [deployments],
      ['apps/v1/daemonsets'],
    ],
    ['a version of a stability that is off', { 'api/beta': false, 'certificates.k8s.io/v1beta1': true }, [bundles], []],
  ]
  for (const [title, config, yes, no] of cases)
    it(title, () => {
      const found = served(config)
      for (const each of yes) assert.ok(found.has(each), `${each} is not served`)
      for (const each of no) assert.ok(!found.has(each), `${each} is served`)
    })

  it('versions that are removed are not, even on demand', () => {
    const { removed = '' } =
      scheme.resource({ group: 'certificates.k8s.io', version: 'v1alpha1', resource: 'clustertrustbundles' })?.table ??
      {}
    assert.equal(removed, '1.37')
    assert.ok(served({ 'api/all': true }, '1.36').has(alphaBundles))
    for (const release of ['1.37', '1.38']) assert.ok(!served({ 'api/all': true }, release).has(alphaBundles))
  })

  it('a resource that is switched on has its subresources, whatever is served by default', () => {
    const config = { 'storagemigration.k8s.io/v1alpha1': true, 'networking.k8s.io/v1beta1/servicecidrs': true }
    const found = selectServed(scheme, { runtimeConfig: config, release: parseRelease('1.33'), gate: () => true })
    const tablesOf = (group: string, version: string, resource: string) =>
      found
        .find(({ name }) => name === group)
        ?.versions.find((each) => each.version === version)
        ?.resources.find(({ plural }) => plural === resource)?.table.subresources
    for (const subresources of [
      tablesOf('storagemigration.k8s.io', 'v1alpha1', 'storageversionmigrations'),
      tablesOf('networking.k8s.io', 'v1beta1', 'servicecidrs'),
    ])
      assert.deepEqual(subresources?.['status']?.verbs, ['get', 'patch', 'update'])
  })

  it('names that name nothing are told', () => {
    assert.deepEqual(unknownRuntimeConfig(scheme, { 'apps/v1': true, 'apps/v9': true, 'api/gamma': true, v1: true }), [
      'apps/v9',
      'api/gamma',
    ])
  })
})
