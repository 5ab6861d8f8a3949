import assert from 'node:assert/strict'
import fc from 'fast-check'
import { suggestionsAt } from '../../../console/state/completions.ts'
import {
  areNested,
  changesBetween,
  hasLargeIntegers,
  isEqual,
  pathText,
  valueAt,
  withChanges,
} from '../../../console/state/fieldchanges.ts'
import { problemsIn } from '../../../console/state/fieldproblems.ts'
import { schemaAt, typeName } from '../../../console/state/schema.ts'
import { lineOf, outlineYaml } from '../../../console/state/yamloutline.ts'
import { resourceVersionOf, withoutManagedFields, withResourceVersion } from '../../../console/state/yamltext.ts'
import type { KindSchema } from '../../../lib/console/tryout/openapischema.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const kind: KindSchema = {
  root: {
    properties: {
      metadata: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
      },
      spec: { allOf: [{ $ref: '#/components/schemas/Spec' }], description: 'what is wanted' },
    },
  },
  named: {
    Spec: {
      type: 'object',
      required: ['containers'],
      properties: {
        replicas: { type: 'integer', format: 'int32', description: 'how many' },
        paused: { type: 'boolean' },
        containers: {
          type: 'array',
          items: { $ref: '#/components/schemas/Container' },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        },
        again: { $ref: '#/components/schemas/Spec' },
        loop: { $ref: '#/components/schemas/Loop' },
      },
    },
    Container: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        image: { type: 'string' },
        pull: { type: 'string', enum: ['Always', 'Never'] },
        args: { type: 'array', items: { type: 'string' } },
        ports: {
          type: 'array',
          items: { type: 'object' },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
        },
      },
    },
    Loop: { $ref: '#/components/schemas/Loop' },
  },
}

describe('the editor of the console', () => {
  describe('the outline of a text', () => {
    it('gives each line the path of what it begins', () => {
      const text = [
        '# a comment',
        'kind: Pod',
        'data:',
        '  "a:b": 1',
        "  'it''s': |",
        '    managedFields: text',
        '',
        '    more: text',
        '  next: >-',
        '   folded',
        'spec:',
        '  containers:',
        '  - name: web',
        '    ports:',
        '      - port: 80',
        '      -',
        '        port: 81',
        '  - - x',
        '    - y',
        '  url: http://a:80',
      ].join('\n')
      assert.deepEqual(
        outlineYaml(text).map((path) => path?.join('.')),
        [
          undefined,
          'kind',
          'data',
          'data.a:b',
          "data.it's",
          undefined,
          undefined,
          undefined,
          'data.next',
          undefined,
          'spec',
          'spec.containers',
          'spec.containers.0.name',
          'spec.containers.0.ports',
          'spec.containers.0.ports.0.port',
          'spec.containers.0.ports.1',
          'spec.containers.0.ports.1.port',
          'spec.containers.1.0',
          'spec.containers.1.1',
          'spec.url',
        ],
      )
    })

    it('a field is found at its line, or else the nearest one around it', () => {
      const outline = outlineYaml('spec:\n  containers:\n  - name: a\n  - image: b\n')
      const line = (...path: (string | number)[]): number => lineOf(path, outline)
      assert.deepEqual(
        [line('spec', 'containers', 1, 'name'), line('spec', 'containers', 0), line('spec', 'none'), line('none')],
        [3, 2, 0, -1],
      )
    })

    it('any text has one, and long ones at once', () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom('a', ':', '-', ' ', '\n', '|', '"', "'", '#', '{'), { maxLength: 60 }),
          (parts) => {
            const text = parts.join('')
            assert.equal(outlineYaml(text).length, text.split('\n').length)
          },
        ),
      )
      const startedMs = threadCpuMs()
      outlineYaml(`${'a'.repeat(500_000)}\n${'- '.repeat(20_000)}\n${"'".repeat(100_000)}`)
      assert.ok(threadCpuMs() - startedMs < 1000)
    })

    it('managed fields and versions are those of the metadata alone', () => {
      const yaml = (name: string, version: string): string =>
        [
          'spec:',
          '  managedFields:',
          '    a: 1',
          '  resourceVersion: "3"',
          'metadata:',
          name,
          `  resourceVersion: "${version}"`,
        ]
          .filter((line) => line !== '')
          .join('\n')
      assert.equal(withoutManagedFields(yaml('  managedFields:\n  - manager: x\n    time: y', '7')), yaml('', '7'))
      assert.equal(withResourceVersion(yaml('', '7'), '8'), yaml('', '8'))
      assert.deepEqual([resourceVersionOf(yaml('', '7')), resourceVersionOf('data: 1')], ['7', ''])
    })
  })

  describe('the schema', () => {
    it('describes fields through references, items and maps', () => {
      const described = (...path: (string | number)[]): string | undefined => {
        const schema = schemaAt(kind, path)
        return schema && typeName(schema, kind)
      }
      assert.equal(schemaAt(kind, ['spec'])?.description, 'what is wanted')
      assert.deepEqual(
        [
          described('spec', 'replicas'),
          described('spec', 'containers'),
          described('spec', 'containers', 3, 'args'),
          described('metadata', 'labels'),
          described('metadata', 'labels', 'x'),
          described('spec', 'again', 'again', 'paused'),
        ],
        ['integer (int32)', '[]object', '[]string', 'map of string', 'string', 'boolean'],
      )
      for (const path of [['none'], ['spec', 'constructor'], ['spec', 'replicas', 'x'], ['spec', 'containers', 'name']])
        assert.equal(schemaAt(kind, path), undefined, path.join('.'))
      assert.ok(schemaAt(kind, ['spec', 'loop']), 'a circle of references ends')
    })

    it('suggests the fields that are missing, and the values of a field', () => {
      const labels = (text: string, rest = ''): string[] =>
        (suggestionsAt(text + rest, text.length, kind)?.list ?? []).map(({ insert }) => insert)
      assert.deepEqual(labels('spe'), ['metadata:\n  ', 'spec:\n  '])
      assert.deepEqual(labels('spec:\n  rep', '\n  paused: true\n'), [
        'replicas: ',
        'containers:\n  - ',
        'again:\n    ',
        'loop: ',
      ])
      assert.deepEqual(labels('spec:\n  containers:\n  - name: a\n  - im'), [
        'name: ',
        'image: ',
        'pull: ',
        'args:\n    - ',
        'ports:\n    - ',
      ])
      assert.deepEqual(labels('spec:\n  containers:\n  - pull: A'), ['Always', 'Never'])
      assert.deepEqual(labels('spec:\n  paused: '), ['true', 'false'])
      assert.deepEqual(labels('spec: |\n  a'), [])
      assert.deepEqual(labels('none:\n  a'), [])
    })
  })

  it('problems of a Status are at the lines of their fields', () => {
    const text = 'kind: Pod\nspec:\n  containers:\n  - name: A_\n    ports:\n    - port: 1\n'
    const invalid = {
      message: 'invalid',
      details: {
        causes: [
          { field: 'spec.containers[0].ports[0].port', message: 'too small' },
          { field: 'spec.containers[0].image', message: 'required' },
          { field: 'elsewhere', message: 'wrong' },
        ],
      },
    }
    const lines = (status: Record<string, unknown>): (readonly [number, string])[] =>
      problemsIn(status, text).map(({ line, message }) => [line, message] as const)
    assert.deepEqual(lines(invalid), [
      [5, 'spec.containers[0].ports[0].port: too small'],
      [3, 'spec.containers[0].image: required'],
      [-1, 'elsewhere: wrong'],
    ])
    assert.deepEqual(lines({ message: 'strict decoding error: unknown field "spec.containers[0].nam"' }), [
      [3, 'unknown field "spec.containers[0].nam"'],
    ])
    assert.deepEqual(lines({ message: 'yaml: line 3: did not find' }), [[2, 'line 3: did not find']])
    const causes = Array.from({ length: 500 }, () => ({ field: 'kind', message: 'x' }))
    assert.equal(lines({ details: { causes } }).length, 100)
  })

  describe('changes of fields', () => {
    const before = {
      spec: {
        replicas: 1,
        containers: [
          {
            name: 'a',
            image: 'x',
            args: ['1'],
            ports: [
              { port: 80, protocol: 'TCP' },
              { port: 80, protocol: 'UDP' },
            ],
          },
          { name: 'b', image: 'y' },
        ],
      },
    }
    const after = {
      spec: {
        paused: true,
        containers: [
          { name: 'c', image: 'n' },
          { name: 'a', image: 'z', args: ['1', '2'], ports: [{ port: 80, protocol: 'TCP', n: 1 }, { port: 80 }] },
        ],
      },
    }

    it('are the smallest ones; lists with keys change by items', () => {
      const found = changesBetween(before, after, kind).map(({ path, after: value }) => [pathText(path), value])
      assert.deepEqual(Object.fromEntries(found), {
        '.spec.replicas': undefined,
        '.spec.paused': true,
        '.spec.containers[name="a"].image': 'z',
        '.spec.containers[name="a"].args': ['1', '2'],
        '.spec.containers[name="a"].ports[port=80,protocol="TCP"].n': 1,
        '.spec.containers[name="a"].ports[port=80,protocol="UDP"]': undefined,
        '.spec.containers[name="a"].ports[port=80]': { port: 80 },
        '.spec.containers[name="b"]': undefined,
        '.spec.containers[name="c"]': { name: 'c', image: 'n' },
      })
    })

    it('made to another state of the object leave its other changes', () => {
      const current = structuredClone(before) as unknown as Record<string, unknown>
      Object.assign(current, { data: 1 })
      const merged = withChanges(current, changesBetween(before, after, kind))
      assert.deepEqual(merged, {
        data: 1,
        spec: {
          paused: true,
          containers: [
            { name: 'a', image: 'z', args: ['1', '2'], ports: [{ port: 80, protocol: 'TCP', n: 1 }, { port: 80 }] },
            { name: 'c', image: 'n' },
          ],
        },
      })
      assert.equal(valueAt(merged, ['spec', 'containers', { name: 'c' }, 'image']), 'n')
      assert.equal(valueAt(merged, ['spec', 'none', 'deeper']), undefined)
    })

    it('lead from any object to any other one', () => {
      const value = fc.jsonValue({ maxDepth: 4 })
      fc.assert(
        fc.property(fc.record({ a: value, b: value }), fc.record({ a: value, c: value }), (one, other) => {
          const [from, to] = JSON.parse(JSON.stringify([one, other])) as [unknown, unknown]
          assert.deepEqual(JSON.parse(JSON.stringify(withChanges(from, changesBetween(from, to, undefined)))), to)
        }),
      )
    })

    it('paths are nested where one leads to the other', () => {
      assert.ok(areNested('.spec.a', '.spec.a[name="x"].b'))
      assert.ok(areNested('.spec.a.b', '.spec.a'))
      assert.ok(!areNested('.spec.a', '.spec.ab'))
    })

    it('numbers beyond exact ones are found', () => {
      assert.ok(hasLargeIntegers(JSON.parse('{"a":[{"b":9007199254740993}]}')))
      assert.ok(!hasLargeIntegers({ a: [1.5, 9007199254740991, '9007199254740993', null] }))
      assert.ok(isEqual({ a: 1, b: [2] }, { b: [2], a: 1 }))
    })
  })
})
