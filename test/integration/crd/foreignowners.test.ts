import assert from 'node:assert/strict'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'

describe('custom resources: managed fields of a version of another group', () => {
  let kit: CrdKit
  before(async () => {
    kit = await createCrdKit()
    await kit.define(definitionOf())
  })
  after(() => kit.close())

  for (const apiVersion of ['v1', 'apps/v1', 'example.org/v1', 'example.com/v9', 'a/b/c'])
    it(`entries of ${apiVersion} are dropped, like those of removed versions`, async () => {
      const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:a': {} } } }
      const entry = { manager: 'm', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1 }
      const name = apiVersion.replace(/\W/g, '-')
      const metadata = { name, labels: { a: 'b' }, managedFields: [entry] }
      const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata }
      const made = await kit.request('POST', '/apis/example.com/v1/namespaces/default/things', { body })
      assert.equal(made.status, 201, made.text)
      const { managedFields = [] } = made.json.metadata
      assert.deepEqual(
        managedFields.filter(({ manager }) => manager === 'm'),
        [],
      )
    })
})
