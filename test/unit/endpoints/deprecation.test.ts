import assert from 'node:assert/strict'
import { deprecationOf } from '../../../lib/endpoints/answer/deprecation.ts'
import { parseRelease } from '../../../lib/features/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import type { Call } from '../../../lib/request/index.ts'
import type { ResourceTable } from '../../../lib/schema/index.ts'

const gvr = { group: 'g', version: 'v1beta1', resource: 'things' }
const gvk = { group: 'g', version: 'v1beta1', kind: 'Thing' }

/** The reports of one call's deprecation to clients, auditors and operators in a release; undefined: nothing is deprecated. */
async function told(lifecycle: Partial<ResourceTable>, release: string) {
  const metrics = createMetrics()
  const labels = ['group', 'version', 'resource', 'subresource', 'removed_release']
  const used = metrics.gauge({ name: 'used', help: 'Used.', labels })
  const table = { kind: 'Thing', singular: 'thing', namespaced: true, verbs: [], ...lifecycle } as ResourceTable
  const deprecation = deprecationOf({ gvr, gvk, table }, parseRelease(release), used)
  if (!deprecation) return undefined
  const warnings = new Set<string>()
  const annotations: Record<string, string> = {}
  const call = {
    warnings: { add: (text: string) => warnings.add(text) },
    audit: { annotate: (key: string, value: string) => void (annotations[key] = value) },
    info: { subresource: 'status' },
  }
  deprecation.note(call as unknown as Call)
  const { body } = await metrics.exposition()
  return { warnings: [...warnings], annotations, metric: body.split('\n').find((line) => line.startsWith('used{')) }
}

describe('endpoints: deprecated versions', () => {
  const deprecated = { deprecated: '1.30', removed: '1.40', replacement: 'g/v1 Thing' }

  it('warn the client, annotate the audit event and count, with the release that removes them', async () => {
    assert.deepEqual(await told(deprecated, '1.33'), {
      warnings: ['g/v1beta1 Thing is deprecated in v1.30+, unavailable in v1.40+; use g/v1 Thing'],
      annotations: { 'k8s.io/deprecated': 'true', 'k8s.io/removed-release': '1.40' },
      metric: 'used{group="g",removed_release="1.40",resource="things",subresource="status",version="v1beta1"} 1',
    })
  })

  it('deprecated versions need neither a replacement nor a removal', async () => {
    assert.deepEqual(await told({ deprecated: '1.30' }, '1.30'), {
      warnings: ['g/v1beta1 Thing is deprecated in v1.30+'],
      annotations: { 'k8s.io/deprecated': 'true' },
      metric: 'used{group="g",removed_release="",resource="things",subresource="status",version="v1beta1"} 1',
    })
  })

  it('are not deprecated before their release, by number', async () => {
    assert.equal(await told(deprecated, '1.29'), undefined)
    assert.equal(await told({ deprecated: '1.30' }, '1.9'), undefined)
    assert.equal(await told({}, '1.33'), undefined)
  })
})
