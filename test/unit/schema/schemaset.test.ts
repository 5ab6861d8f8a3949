import assert from 'node:assert/strict'
import { configTables, tables } from '../../../api/index.ts'
import { compileTables, type StructType } from '../../../lib/schema/index.ts'

describe('compiled tables', () => {
  const types = compileTables([...tables, ...configTables])

  it('every type that a table names exists, and every struct compiles', () => {
    const seen = new Set<StructType>()
    for (const name of types.names) {
      const struct = types.struct(name)
      assert.equal(struct.name, name)
      assert.equal(struct.byName.size, struct.fields.length, `${name}: two fields of one name`)
      assert.ok(struct.message.every(({ number }) => number > 0))
      seen.add(struct)
    }
    assert.ok(seen.size > 900, `${seen.size} types`)
  })

  it('protobuf numbers are unique in each message, and ascend', () => {
    for (const name of types.names) {
      const numbers = types.struct(name).message.map(({ number }) => number)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b),
        name,
      )
    }
  })

  it('fields of inlined types are among their parent’s and are one message of it', () => {
    const volume = types.struct('core/v1.Volume')
    assert.equal(volume.byName.get('emptyDir')?.inlinedFrom?.number, 2)
    assert.equal(volume.byName.get('name')?.inlinedFrom, undefined)
    assert.deepEqual(
      volume.message.map(({ number, inlined }) => [number, inlined?.name]),
      [
        [1, undefined],
        [2, 'core/v1.VolumeSource'],
      ],
    )
  })

  it('kind and apiVersion come first and are in no message', () => {
    const pod = types.struct('core/v1.Pod')
    assert.deepEqual(
      pod.fields.slice(0, 3).map(({ name }) => name),
      ['kind', 'apiVersion', 'metadata'],
    )
    assert.equal(pod.byName.get('kind')?.inlinedFrom?.number, 0)
  })

  it('a type may contain itself', () => {
    const schema = types.struct('apiextensions.k8s.io/v1.JSONSchemaProps')
    const not = schema.byName.get('not')?.type
    assert.equal(not, schema)
  })

  it('lists and maps carry their merge semantics', () => {
    const ports = types.struct('core/v1.Container').byName.get('ports')?.type
    assert.ok(ports?.is === 'list')
    assert.deepEqual([ports.semantics, ports.keys, ports.stated], ['map', ['containerPort', 'protocol'], true])
    const extra = types.struct('authentication.k8s.io/v1.UserInfo').byName.get('extra')?.type
    assert.ok(extra?.is === 'map' && extra.element.is === 'list' && extra.element.wrapped)
  })

  it('a name that no table has is an error', () => {
    assert.throws(() => types.struct('core/v1.Nothing'), /no table has the type core\/v1\.Nothing/)
    assert.throws(() => types.struct('core/v1.constructor'), /no table/)
    assert.equal(types.has('nowhere/v1.Pod'), false)
  })
})
