import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Gauge, silentMetrics } from '../../../lib/base/index.ts'
import {
  createFeatureGates,
  defaultEmulation,
  gateTable,
  parseEmulation,
  parseRelease,
  versionInfo,
} from '../../../lib/features/index.ts'
import { assertRecorded } from '../../support/recorded.ts'

const facts = join(import.meta.dirname, '../../../../shared/facts/feature_gates.tsv')

function gates(...set: [string, string][]): ReturnType<typeof createFeatureGates> {
  return createFeatureGates({ set: new Map(set) })
}

const oldest = parseRelease('1.33')

function gatesOf133(...set: [string, string][]): ReturnType<typeof createFeatureGates> {
  return createFeatureGates({ set: new Map(set), release: oldest })
}

describe('feature gates', () => {
  const defaults: [string, boolean, string][] = [
    ['WatchList', false, 'beta and on in 1.32, off in 1.33'],
    ['StorageVersionHash', true, 'beta and on since 1.15'],
    ['OrderedNamespaceDeletion', true, 'off in 1.30, on in 1.33'],
    ['SidecarContainers', true, 'generally available in 1.33'],
    ['DynamicResourceAllocation', false, 'on only in 1.34'],
    ['GenericWorkload', false, 'not there before 1.35'],
    ['AllAlpha', false, ''],
  ]
  for (const [name, expected, why] of defaults)
    it(`has ${name} ${expected ? 'on' : 'off'} in 1.33${why && `: ${why}`}`, () => {
      assert.equal(gatesOf133().gate(name), expected)
    })

  const newest: [string, boolean, string][] = [
    ['WatchList', true, 'on again since 1.34'],
    ['StorageVersionHash', true, 'beta and on since 1.15'],
    ['OrderedNamespaceDeletion', true, 'generally available in 1.34'],
    ['DynamicResourceAllocation', true, 'on since 1.34'],
    ['MutatingAdmissionPolicy', true, 'generally available in 1.36'],
    ['GenericWorkload', false, 'alpha since 1.35'],
    ['AllAlpha', false, ''],
  ]
  for (const [name, expected, why] of newest)
    it(`has ${name} ${expected ? 'on' : 'off'} in 1.36, the default${why && `: ${why}`}`, () => {
      assert.equal(gates().gate(name), expected)
    })

  const refused: [[string, string][], string][] = [
    [[['Nope', 'true']], 'unrecognized feature gate: Nope'],
    [
      [['GenericWorkload', 'true']],
      'cannot set feature gate GenericWorkload to true, feature is PreAlpha at emulated version 1.33',
    ],
    [[['SidecarContainers', 'false']], 'cannot set feature gate SidecarContainers to false, feature is locked to true'],
    [[['WatchList', 'perhaps']], 'invalid value of WatchList: "perhaps" is neither true nor false'],
    [[['other:WatchList', 'true']], 'component not registered: other'],
  ]
  for (const [set, message] of refused)
    it(`refuses ${set.map((pair) => pair.join('=')).join()}`, () => {
      assert.throws(() => gatesOf133(...set), { message })
    })

  it('takes a gate with or without its component, and a locked one at its default', () => {
    const chosen = gates(['kube:WatchList', 'false'], ['SidecarContainers', 'true'])
    assert.equal(chosen.enabled('WatchList'), false)
    assert.deepEqual(chosen.warnings, [
      'feature gate SidecarContainers=true is generally available and will be removed in a later release',
    ])
  })

  it('lets AllAlpha and AllBeta decide for their stage, but not for gates set by name or of another stage', () => {
    for (const [chosen, betaThatIsOff] of [
      [gates, 'MaxUnavailableStatefulSet'],
      [gatesOf133, 'WatchList'],
    ] as const) {
      const alpha = chosen(['AllAlpha', 'true'], ['HPAScaleToZero', 'false'])
      assert.deepEqual(
        ['StorageVersionAPI', 'HPAScaleToZero', betaThatIsOff, 'KMSv1'].map((name) => alpha.gate(name)),
        [true, false, false, false],
      )
    }
    const beta = gates(['AllBeta', 'false'], ['StorageVersionHash', 'true'])
    assert.deepEqual(
      ['APIServerIdentity', 'StorageVersionHash', 'SidecarContainers'].map((name) => beta.gate(name)),
      [false, true, true],
    )
  })

  it('lets the gate that another was split off decide for both in releases from before that', () => {
    const at = (release: string, ...set: [string, string][]): boolean =>
      createFeatureGates({ release: parseRelease(release), set: new Map(set) }).gate('DRADeviceTaintRules')
    assert.deepEqual(
      [
        at('1.33'),
        at('1.33', ['DRADeviceTaints', 'true']),
        at('1.36'),
        at('1.36', ['DRADeviceTaints', 'true']),
        at('1.36', ['DRADeviceTaintRules', 'true']),
      ],
      [false, true, false, false, true],
    )
    assert.throws(() => at('1.33', ['DRADeviceTaintRules', 'true']), /feature is PreAlpha at emulated version 1\.33$/)
  })

  it('shows each gate with its stage as a metric', () => {
    const seen = new Map<string, number>()
    const gauge: Gauge = { set: (labels, value) => void seen.set(labels.join(), value), add() {}, collect() {} }
    gates(['WatchList', 'false']).record({ ...silentMetrics, gauge: () => gauge })
    assert.equal(seen.get('WatchList,BETA'), 0)
    assert.equal(seen.get('ComponentStatusz,BETA'), 1)
    assert.equal(seen.get('SidecarContainers,'), 1)
    assert.equal(seen.get('KMSv1,DEPRECATED'), 0)
    assert.equal(seen.size > 150, true)
  })

  it('knows every gate of the reference table, with the same defaults at its end @recorded', () => {
    const later = createFeatureGates({ release: parseRelease('1.36') })
    const rows = existsSync(facts) ? readFileSync(facts, 'utf8').trim().split('\n').slice(1) : []
    for (const row of rows) {
      const [name = '', , value] = row.split('\t')
      assert.equal(later.gate(name), value === 'true', name)
    }
    if (rows.length > 0) assert.equal(Object.keys(gateTable).length, rows.length)
    const releases = ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36']
    const at = releases.map((release) => createFeatureGates({ release: parseRelease(release) }))
    assertRecorded(
      'gates',
      Object.keys(gateTable).map((name) => [name, at.map(({ gate }) => (gate(name) ? '1' : '0')).join('')]),
    )
  })
})

const build = { packageVersion: '0.1.0', nodeVersion: 'v26.10.0', platform: 'linux', arch: 'x64' }

describe('versionInfo', () => {
  it('names the release that is emulated', () => {
    const info = versionInfo(build, parseEmulation(['1.35'], ['kube=1.33']))
    assert.deepEqual(
      [info.gitVersion, info.minor, info.emulationMinor, info.minCompatibilityMinor],
      ['v1.35.0+pilothouse.0.1.0', '35', '35', '33'],
    )
  })

  it('names the release for comparisons by clients, and the program in the build metadata', () => {
    const info = versionInfo(build, defaultEmulation)
    assert.equal(info.gitVersion, 'v1.36.0+pilothouse.0.1.0')
    assert.deepEqual(
      [info.major, info.minor, info.minCompatibilityMinor, info.goVersion, info.platform],
      ['1', '36', '35', 'node26.10.0', 'linux/amd64'],
    )
  })
})
