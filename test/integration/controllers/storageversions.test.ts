import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const group = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = '/apis/example.com/v1/namespaces/default/widgets'

describe('migrations of what is stored against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['storage-version-migrator-controller'],
      featureGates: { StorageVersionMigrator: true },
      runtimeConfig: { 'storagemigration.k8s.io/v1alpha1': true },
    })
  })
  after(async () => {
    await plane.stop()
  })

  const send = async (method: string, path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const init = { method, headers: { 'content-type': type }, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await plane.fetch(path, init)
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  interface Body {
    readonly metadata: {
      readonly resourceVersion: string
      readonly managedFields?: readonly { readonly manager: string }[]
    }
    readonly status: {
      readonly storedVersions?: readonly string[]
      readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[]
    }
  }
  const migrate = async (name: string, resource: object): Promise<void> => {
    const made = await send('POST', group, {
      apiVersion: 'storagemigration.k8s.io/v1alpha1',
      kind: 'StorageVersionMigration',
      metadata: { name },
      spec: { resource },
    })
    assert.equal(made.status, 201)
  }
  const ended = async (name: string, type: 'Succeeded' | 'Failed'): Promise<string> => {
    const find = async () => {
      const { body } = await send('GET', `${group}/${name}`)
      return body.status.conditions?.find((each) => each.type === type && each.status === 'True')
    }
    await eventually(async () => (await find()) !== undefined, `${name}: ${type}`)
    return (await find())?.message ?? ''
  }
  const version = (name: string, storage: boolean): object => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  })

  it('custom objects are stored in the new version, and the definition forgets the old one', async () => {
    const names = { plural: 'widgets', kind: 'Widget' }
    const spec = {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [version('v1', true), version('v2', false)],
    }
    const metadata = { name: 'widgets.example.com' }
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec }
    assert.equal((await send('POST', definitions, definition)).status, 201)
    await eventually(async () => {
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w0' }, color: 'red' }
      return (await send('POST', widgets, widget)).status === 201
    }, 'the custom resource')
    for (let at = 1; at < 30; at++)
      await send('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: `w${at}` } })
    const before = await send('GET', `${widgets}/w0`)
    const versions = [version('v1', false), version('v2', true)]
    await send('PATCH', `${definitions}/widgets.example.com`, { spec: { versions } })
    const stored = async (): Promise<string | undefined> =>
      (await send('GET', `${definitions}/widgets.example.com`)).body.status.storedVersions?.join()
    await eventuallyEquals(() => stored(), 'v1,v2', 'both versions')
    await migrate('widgets', { group: 'example.com', version: 'v2', resource: 'widgets' })
    await ended('widgets', 'Succeeded')
    assert.equal(await stored(), 'v2')
    const after = await send('GET', `${widgets}/w0`)
    assert.notEqual(after.body.metadata.resourceVersion, before.body.metadata.resourceVersion, 'it was written anew')
    assert.deepEqual(after.body.metadata.managedFields, before.body.metadata.managedFields, 'and is as it was')
  })

  it('an object that is already stored in the current form is not written', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: 'b' } }
    const before = await send('POST', '/api/v1/namespaces/default/configmaps', map)
    await migrate('maps', { version: 'v1', resource: 'configmaps' })
    await ended('maps', 'Succeeded')
    const after = await send('GET', '/api/v1/namespaces/default/configmaps/m')
    assert.equal(after.body.metadata.resourceVersion, before.body.metadata.resourceVersion)
  })

  it('a resource that is not served fails for good', async () => {
    await migrate('nothing', { group: 'example.org', version: 'v1', resource: 'nothings' })
    assert.equal(
      await ended('nothing', 'Failed'),
      'migration encountered unhandled error: nothings.example.org is not served',
    )
  })
})
