import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { decoded } from '../../../support/kindrun.ts'
import { valid as deployment } from '../../../support/valid/Deployment.ts'
import { valid as pod } from '../../../support/valid/Pod.ts'

type Given = Readonly<Record<string, unknown>>

const spec = (object: ApiObject): Given => object['spec'] as Given
const only = (given: Given, ...names: string[]): unknown[] => names.map((name) => given[name])

/** Two fields for one thing: clients of any age read what clients of any other age wrote. */
describe('kinds: fields that mirror another', () => {
  const accounts: readonly [title: string, given: Given, both: string | undefined][] = [
    ['the older one alone', { serviceAccount: 'old' }, 'old'],
    ['the newer one alone', { serviceAccountName: 'new' }, 'new'],
    ['both: the newer one wins', { serviceAccount: 'old', serviceAccountName: 'new' }, 'new'],
    ['neither', {}, undefined],
  ]
  for (const [title, given, both] of accounts)
    it(`service account: ${title}`, () => {
      const { serviceAccountName: _, ...rest } = spec(pod)
      const made = spec(decoded({ ...pod, spec: { ...rest, ...given } }))
      assert.deepEqual(only(made, 'serviceAccount', 'serviceAccountName'), [both, both])
      const template = spec(deployment)['template'] as { spec: Given }
      const templated = { ...template, spec: { ...template.spec, ...given } }
      const within = spec(decoded({ ...deployment, spec: { ...spec(deployment), template: templated } }))['template']
      assert.deepEqual(only((within as { spec: Given }).spec, 'serviceAccount', 'serviceAccountName'), [both, both])
    })

  const addresses: readonly [title: string, given: Given, podIP: string | undefined, podIPs: readonly string[]][] = [
    ['the older one alone', { podIP: '10.0.0.1' }, '10.0.0.1', ['10.0.0.1']],
    ['the newer one alone', { podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }] }, '10.0.0.2', ['10.0.0.2', 'fd00::2']],
    ['both: the older one wins', { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] }, '10.0.0.1', ['10.0.0.1']],
    [
      'both alike',
      { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] },
      '10.0.0.1',
      ['10.0.0.1', 'fd00::1'],
    ],
    ['neither', {}, undefined, []],
  ]
  for (const [title, status, podIP, podIPs] of addresses)
    it(`addresses of a pod: ${title}`, () => {
      const made = decoded({ ...pod, status })['status'] as { podIP?: string; podIPs?: { ip: string }[] }
      assert.equal(made.podIP, podIP)
      assert.deepEqual(
        (made.podIPs ?? []).map(({ ip }) => ip),
        podIPs,
      )
    })
})
