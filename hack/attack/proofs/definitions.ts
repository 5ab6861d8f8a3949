import { setTimeout as sleep } from 'node:timers/promises'
import { definitionOf } from '../../../test/support/crdkit.ts'
import type { Answer, AttackClient } from '../client.ts'
import { type Proof, unless, unlessFree } from '../proof.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'proofs.example.com'
const tryMsMax = 10_000

/** Creates a definition and an object of it; returns the answer to the object. */
async function define(admin: AttackClient, definition: object, path: string, body: object): Promise<Answer> {
  await admin.ask('POST', definitions, definition)
  const endMs = performance.now() + tryMsMax
  for (;;) {
    const made = await admin.ask('POST', path, body)
    if (made.status !== 404 || performance.now() > endMs) return made
    await sleep(20)
  }
}

export const printerColumns: Proof = {
  title: 'columns that visit the whole object thousands of times hold nobody up',
  async run(around) {
    const admin = around.plane.as('admin')
    const jsonPath = `.spec.a[${Array.from({ length: 1900 }, () => '0').join(',')}]..zz`
    const additionalPrinterColumns = Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, type: 'string', jsonPath })) // biome-ignore format: one line
    const definition = definitionOf({ kind: 'Column', group, version: { additionalPrinterColumns } })
    const path = `/apis/${group}/v1/namespaces/team/columns`
    const a = [Array.from({ length: 90_000 }, () => 0)]
    const body = { apiVersion: `${group}/v1`, kind: 'Column', metadata: { name: 'wide' }, spec: { a } }
    const left = unless([201], 'the object', await define(admin, definition, path, body))
    await around.watchdog.loop()
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
    left.push(...unless([200], 'the table', await admin.send({ method: 'GET', path, headers })))
    left.push(...(await unlessFree(around, 'a table')))
    await admin.ask('DELETE', `${definitions}/columns.${group}`)
    return left
  },
}

const list = (type: string, more: object = {}): object => ({
  type: 'array',
  'x-kubernetes-list-type': type,
  items: { type: 'string' },
  ...more,
})

export const statusLists: Proof = {
  title: 'lists in the status of custom resources are checked, and large ones are taken',
  async run({ plane }) {
    const admin = plane.as('admin')
    const keyed = list('map', {
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
    })
    const properties = { set: list('set'), keyed, within: { type: 'object', properties: { set: list('set') } } }
    const schema = { type: 'object', properties: { status: { type: 'object', properties } } }
    const definition = definitionOf({ kind: 'Listed', group, schema, version: { subresources: { status: {} } } })
    const path = `/apis/${group}/v1/namespaces/team/listeds`
    const body = { apiVersion: `${group}/v1`, kind: 'Listed', metadata: { name: 'one' } }
    const left = unless([201], 'the object', await define(admin, definition, path, body))
    const patch = (status: object): Promise<Answer> =>
      admin.ask('PATCH', `${path}/one/status`, { status }, 'application/merge-patch+json')
    const twice: Readonly<Record<string, object>> = {
      'a set': { set: ['a', 'a'] },
      'a list by key': { keyed: [{ k: 'a' }, { k: 'a' }] },
      'a set within': { within: { set: ['a', 'a'] } },
    }
    for (const [what, status] of Object.entries(twice)) left.push(...unless([422], what, await patch(status)))
    const many = Array.from({ length: 90_000 }, (_, index) => `${index}`)
    left.push(...unless([200], '90,000 items', await patch({ set: many })))
    await admin.ask('DELETE', `${definitions}/listeds.${group}`)
    return left
  },
}
