import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Gauge, silentMetrics } from '../../../lib/base/index.ts'
import { createFeatureGates, describeGate, gateTable, unreadGates } from '../../../lib/features/index.ts'

const top = join(import.meta.dirname, '../../..')
const newest = { major: 1, minor: 36 }
const names = Object.keys(gateTable)

/** Gates whose name is somewhere in the sources outside of the tables of gates. */
function readGates(): Set<string> {
  const found = new Set<string>()
  for (const folder of ['lib', 'cmd', 'api'])
    for (const path of readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || /^(features|gen)\//.test(path)) continue
      const text = readFileSync(join(top, folder, path), 'utf8')
      for (const [, word = ''] of text.matchAll(/['"`]([A-Z][A-Za-z0-9]+)['"`]/g)) found.add(word)
    }
  return found
}

describe('every feature gate', () => {
  it('is read by some part of the project, or listed with the reason why none reads it', () => {
    const read = readGates()
    const unexplained = names.filter((name) => !read.has(name) && !unreadGates.has(name))
    const outdated = [...unreadGates.keys()].filter((name) => read.has(name) || !names.includes(name))
    assert.deepEqual({ unexplained, outdated }, { unexplained: [], outdated: [] })
  })

  it('can be switched on, unless its feature is missing and off by default: then it is refused', () => {
    const defaults = createFeatureGates({ release: newest })
    const problems = names.filter((name) => {
      const isMissing = unreadGates.get(name) === 'missing' && !defaults.gate(name)
      const isOnAsked = (): boolean =>
        createFeatureGates({ set: new Map([[name, 'true']]), release: newest }).gate(name)
      return isMissing ? !refuses(isOnAsked) : !isLockedOff(name) && !isOnAsked()
    })
    assert.deepEqual(problems, [])
  })

  it('a gate whose feature is missing is refused where its release has it off, and is shown as off', () => {
    const shown = new Map<string, number>()
    const gauge: Gauge = {
      ...silentMetrics.gauge({ name: '', help: '', labels: [] }),
      set: ([name = ''], value) => void shown.set(name, value),
    }
    createFeatureGates({ release: newest }).record({ ...silentMetrics, gauge: () => gauge })
    assert.deepEqual(
      ['WorkloadWithJob', 'ConstrainedImpersonation'].map((name) => shown.get(name)),
      [0, 1],
    )
    assert.throws(() => createFeatureGates({ set: new Map([['WorkloadWithJob', 'true']]), release: newest }), {
      message: 'cannot set feature gate WorkloadWithJob to true, the feature is not available here',
    })
  })

  it('no gate that the newest release has on is missing', () => {
    const defaults = createFeatureGates({ release: newest })
    assert.deepEqual(
      names.filter((name) => unreadGates.get(name) === 'missing' && defaults.gate(name)),
      [],
    )
  })

  it('has a description of its effect, which names the component or the missing part', () => {
    const described = names.map(describeGate)
    assert.deepEqual(
      described.filter((text) => text.includes('undefined')),
      [],
    )
    assert.deepEqual(
      [
        'WatchList',
        'CoordinatedLeaderElection',
        'StorageVersionHash',
        'KubeletSeparateDiskGC',
        'AtomicFIFO',
        'KMSv1',
      ].map(describeGate),
      [
        'works',
        'works in part: no leader is chosen among the candidates',
        'works, and stays on',
        'not applicable: kubelet',
        'no difference that clients see',
        'not built: encryption providers are of KMS v2',
      ],
    )
  })

  it('a gate that changes nothing here is accepted with a warning', () => {
    const set = new Map([
      ['KubeletSeparateDiskGC', 'true'],
      ['StorageVersionHash', 'false'],
      ['DetectCacheInconsistency', 'false'],
      ['OpenAPIEnums', 'true'],
    ])
    assert.deepEqual(createFeatureGates({ set, release: newest }).warnings, [
      'feature gate KubeletSeparateDiskGC=true has no effect here: it belongs to another component',
      'feature gate StorageVersionHash=false has no effect here: the feature is always on',
      'feature gate DetectCacheInconsistency=false has no effect here: it changes nothing that clients see',
    ])
  })
})

const isLockedOff = (name: string): boolean =>
  gateTable[name as keyof typeof gateTable].at(-1)?.endsWith('off locked') === true // one of the table's own keys

function refuses(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
