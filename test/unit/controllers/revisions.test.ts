import assert from 'node:assert/strict'
import type { ControllerRevision } from '../../../api/gen/apps/v1.ts'
import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import { chooseRevision, revisionData } from '../../../lib/controllers/shared/revisions.ts'
import { parseRelease } from '../../../lib/features/index.ts'
import type { JsonObject } from '../../../lib/object/index.ts'

const template: PodTemplateSpec = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
}
const dataAt = (release: string, of = template): JsonObject => revisionData(of, parseRelease(release))
const revision = (name: string, number: number, data: JsonObject): ControllerRevision => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name },
  data,
  revision: number,
})

describe('the text of a revision', () => {
  const spec = '"spec":{"containers":[{"image":"i","name":"c","resources":{}}]}'
  for (const [release, metadata] of [
    ['1.33', '{"creationTimestamp":null,"labels":{"app":"x"}}'],
    ['1.34', '{"labels":{"app":"x"}}'],
    ['1.36', '{"labels":{"app":"x"}}'],
  ] as const)
    it(`is that of release ${release}`, () => {
      const text = JSON.stringify(dataAt(release))
      assert.equal(text, `{"spec":{"template":{"$patch":"replace","metadata":${metadata},${spec}}}}`)
    })

  it('of another release counts as the same, so that no pod is replaced', () => {
    for (const [stored, now] of [
      ['1.33', '1.36'],
      ['1.36', '1.33'],
    ] as const) {
      const known = revision('a', 1, dataAt(stored))
      const { found, number, duplicates } = chooseRevision([known], dataAt(now))
      assert.deepEqual([found, number, duplicates], [known, 1, []])
    }
  })

  it('of another template does not', () => {
    const other = { ...template, metadata: { labels: { app: 'y' } } }
    const { found, number } = chooseRevision([revision('a', 1, dataAt('1.33', other))], dataAt('1.36'))
    assert.deepEqual([found, number], [undefined, 2])
  })
})
