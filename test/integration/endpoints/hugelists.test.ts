import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { processCpuMs } from '../../support/cputime.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { type HugeBody, hugeBodies } from '../../support/hugebodies.ts'
import { scheme } from '../../support/kindrun.ts'

/** PILOTHOUSE_HUGE_LISTS=all fills every list and map of every kind, which takes some minutes. */
const all = process.env['PILOTHOUSE_HUGE_LISTS'] === 'all'
/** Some 10,000 items: a check over their pairs takes seconds. */
const bytes = 30_000
/** Ten times what the slowest takes on a machine with nothing else to do. */
const timeMaxMs = 1500
const nearTop = /^(spec|rules|webhooks|endpoints|subsets|scheduling|allowedTopologies)\b[^.]*(\.[^.]+)?$/

/** The most items fit where they are empty. */
function isChosen({ title }: HugeBody): boolean {
  const [, place = '', filling] = title.split(' ')
  return all || (filling === 'empty' && nearTop.test(place))
}

describe('huge lists of any kind', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  it('are accepted or refused in a time that grows with their length only', async function () {
    this.timeout(all ? 1_200_000 : 120_000)
    let count = 0
    for await (const each of hugeBodies(kit.scheme, bytes)) {
      if (!isChosen(each)) continue
      const { title, definition, valid, huge } = each
      const { gvr, namespaced } = definition
      const root = gvr.group === '' ? '/api/v1' : `/apis/${gvr.group}/${gvr.version}`
      const path = `${root}${namespaced ? '/namespaces/default' : ''}/${gvr.resource}`
      const own = { ...huge, metadata: { ...huge.metadata, name: `n${++count}`, namespace: valid.metadata.namespace } }
      const began = processCpuMs()
      const { status } = await kit.request('POST', `${path}?dryRun=All`, { body: own })
      const ms = processCpuMs() - began
      assert.ok(status < 500, `${title}: ${status}`)
      assert.ok(ms < timeMaxMs, `${title}: ${ms} ms`)
    }
    assert.ok(count > 30, `${count} lists`)
  })
})
