import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiObject, copyObject, parseGroupVersion } from '../../../lib/object/index.ts'
import { created, scheme, updated } from '../../support/kindrun.ts'

const folder = join(import.meta.dirname, '../../support/valid')
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
const valid = await Promise.all(
  files.map(async (file) => ((await import(join(folder, file))) as { valid: ApiObject }).valid),
)

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }
const metadata = {
  labels: { probe: 'x' },
  annotations: { probe: 'x' },
  finalizers: ['probe.io/x'],
  ownerReferences: [owner],
}

/** What an endpoint keeps of `metadata.labels`, say: what is there, or that nothing is. */
function at(object: ApiObject, path: string): unknown {
  if (path === 'metadata') return Object.keys(metadata).map((name) => at(object, `metadata.${name}`))
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], object)
}

describe('kinds: what an endpoint resets of a request', () => {
  for (const given of valid) {
    const definition = scheme.resourceOfKind({ ...parseGroupVersion(given.apiVersion)!, kind: given.kind })
    for (const [subresource, reset] of Object.entries(definition?.table.resetFields ?? {})) {
      if (reset.length === 0) continue
      const name = `${given.kind}${subresource && `/${subresource}`}`
      it(`${name} keeps its ${reset.join(' and ')}`, () => {
        const old = created(given).object
        old.metadata.ownerReferences = [{ ...owner, name: 'before' }]
        old['status'] ??= given['status'] ?? {}
        const before = copyObject(old)
        const { object } = updated(
          old,
          (changed) => {
            Object.assign(changed.metadata, structuredClone(metadata))
            changed['spec'] = { ...(changed['spec'] as object), probe: 'x' }
            changed['status'] = { ...(changed['status'] as object), probe: 'x', certificate: 'x' }
          },
          { subresource, validate: false },
        )
        for (const path of reset) assert.deepEqual(at(object, path), at(before, path), path)
      })
    }
  }
})
