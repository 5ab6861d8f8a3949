import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { defaultEmulation, parseEmulation, parseRelease } from '../../../lib/features/index.ts'
import type { ServedGroup } from '../../../lib/schema/index.ts'
import {
  createScheme,
  namedTooEarly,
  type RuntimeConfig,
  selectServed,
  unknownRuntimeConfig,
} from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables })

/** `group/version/resource` of all that is served. */
function served(runtimeConfig: RuntimeConfig, release = '1.36'): Set<string> {
  const emulation = { ...defaultEmulation, ...onlyOlder, release: parseRelease(release) }
  return namesOf(selectServed(scheme, { runtimeConfig, emulation, gate: () => true }))
}

const onlyOlder = { servesNewerVersions: false, servesNewerNamed: false }

function namesOf(groups: readonly ServedGroup[]): Set<string> {
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

  it('versions that are removed are not, even with all others', () => {
    const { removed = '' } =
      scheme.resource({ group: 'certificates.k8s.io', version: 'v1alpha1', resource: 'clustertrustbundles' })?.table ??
      {}
    assert.equal(removed, '1.37')
    assert.ok(served({ 'api/all': true }, '1.36').has(alphaBundles))
    for (const release of ['1.37', '1.38']) assert.ok(!served({ 'api/all': true }, release).has(alphaBundles))
  })

  it('versions that are removed are where they are named, as older clients may need them', () => {
    const migrations = 'storagemigration.k8s.io/v1alpha1/storageversionmigrations'
    assert.ok(served({ 'api/all': true }, '1.35').has(migrations))
    assert.ok(!served({ 'api/all': true }, '1.36').has(migrations))
    for (const name of [migrations, 'storagemigration.k8s.io/v1alpha1']) {
      assert.ok(served({ [name]: true }, '1.36').has(migrations))
      assert.ok(!served({ 'api/all': true, [name]: false }, '1.36').has(migrations))
    }
  })

  it('a resource that is switched on has its subresources, whatever is served by default', () => {
    const config = { 'storagemigration.k8s.io/v1alpha1': true, 'networking.k8s.io/v1beta1/servicecidrs': true }
    const found = selectServed(scheme, { runtimeConfig: config, gate: () => true })
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

  describe('with an emulated release', () => {
    const emulated = (release: string, config: RuntimeConfig = {}, newer: Partial<typeof onlyOlder> = {}) => ({
      runtimeConfig: config,
      emulation: { ...parseEmulation([release], []), ...onlyOlder, ...newer },
      gate: () => true,
    })
    const claims = 'resource.k8s.io/v1/resourceclaims'
    const policies = 'admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies'

    it('versions that came later are not, and those of the release are', () => {
      assert.ok(served({}).has(claims))
      for (const [release, expected] of [
        ['1.33', false],
        ['1.34', true],
      ] as const)
        assert.equal(namesOf(selectServed(scheme, emulated(release))).has(claims), expected, release)
      assert.ok(namesOf(selectServed(scheme, emulated('1.33'))).has(deployments))
    })

    it('newer versions of what is enabled are on demand, alpha ones never', () => {
      const older = { 'resource.k8s.io/v1beta2': true }
      const names = namesOf(selectServed(scheme, emulated('1.33', older, { servesNewerVersions: true })))
      assert.ok(names.has(claims))
      assert.ok([...names].every((name) => !/alpha/.test(name)))
    })

    it('newer versions that runtime-config names are refused, or served on demand', () => {
      const hint = 'Consider setting --runtime-config-emulation-forward-compatible=true'
      const group = 'admissionregistration.k8s.io/v1beta1'
      assert.deepEqual(namedTooEarly(scheme, emulated('1.33', { 'resource.k8s.io/v1': true })), [
        `cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33. ${hint}`,
      ])
      assert.deepEqual(namedTooEarly(scheme, emulated('1.33', { [policies]: true, [`${group}/nothing`]: true })), [
        `cannot enable resource ${policies} in runtime-config because it is introduced at 1.34 after the current version 1.33. ${hint}`,
      ])
      const allowed = emulated('1.33', { [policies]: true }, { servesNewerNamed: true })
      assert.deepEqual(namedTooEarly(scheme, allowed), [])
      assert.ok(namesOf(selectServed(scheme, allowed)).has(policies))
    })
  })

  it('names that name nothing are reported', () => {
    assert.deepEqual(unknownRuntimeConfig(scheme, { 'apps/v1': true, 'apps/v9': true, 'api/gamma': true, v1: true }), [
      'apps/v9',
      'api/gamma',
    ])
  })
})
