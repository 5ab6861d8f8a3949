import assert from 'node:assert/strict'
import { aliasValuesMax, decodeYaml, encodeYaml, nestingMax, yamlMarkersMax } from '../../../lib/codec/index.ts'
import { bytesOf } from './kit.ts'

const value = (text: string): unknown => decodeYaml(bytesOf(text)).value

describe('YAML', () => {
  describe('scalars are those of YAML 1.1 as the stock server reads it', () => {
    const cases: [text: string, value: unknown][] = [
      ['yes', true],
      ['No', false],
      ['ON', true],
      ['y', true],
      ['~', null],
      ['', null],
      ['null', null],
      ['yEs', 'yEs'],
      ['0644', 420],
      ['0o17', 15],
      ['0x1F', 31],
      ['0b11', 3],
      ['1_000', 1000],
      ['08', 8],
      ['-12', -12],
      ['+12', 12],
      ['1.5', 1.5],
      ['1e3', 1000],
      ['.5', 0.5],
      ['80:80', '80:80'],
      ['1.2.3', '1.2.3'],
      ['2024-01-01', '2024-01-01'],
      ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
      ['9007199254740993', 9007199254740993n],
      ['"yes"', 'yes'],
      ["'0644'", '0644'],
      ['!!str 1', '1'],
      ['!!binary aGk=', 'hi'],
      ['|\n  a\n  b\n', 'a\nb\n'],
    ]
    for (const [text, expected] of cases)
      it(JSON.stringify(text), () => assert.deepEqual(value(`a: ${text}`), { a: expected }))
  })

  it('keys become strings', () => assert.deepEqual(value('1: a\nyes: b\n1.5: c'), { 1: 'a', true: 'b', 1.5: 'c' }))

  it('duplicate keys are reported with their line; the last counts', () => {
    const decoded = decodeYaml(bytesOf('metadata:\n  name: zz\ndata:\n  a: "1"\n  a: "2"\n'))
    assert.deepEqual(decoded.duplicates, ['line 5: key "a" already set in map'])
    assert.deepEqual(decoded.value, { metadata: { name: 'zz' }, data: { a: '2' } })
  })

  it('aliases and merge keys', () => {
    assert.deepEqual(value('a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\nf: {<<: [*x, {g: 3}]}'), {
      a: { b: 1 },
      c: { b: 1 },
      d: { b: 1, e: 2 },
      f: { b: 1, g: 3 },
    })
  })

  it('a stream counts by its first document only', () => assert.deepEqual(value('a: 1\n---\nb: 2'), { a: 1 }))
  it('JSON is YAML', () => assert.deepEqual(value('{"a": [1, "yes", {"b": null}]}'), { a: [1, 'yes', { b: null }] }))
  it('JSON with a duplicate key is reported as YAML is', () =>
    assert.deepEqual(decodeYaml(bytesOf('{"a": 1,\n"a": 2}')).duplicates, ['line 2: key "a" already set in map']))
  it('a text that only looks like JSON is YAML', () =>
    assert.deepEqual(value('{a: yes, b: 0644}'), { a: true, b: 420 }))
  it('__proto__ is a plain key', () => assert.deepEqual(Object.keys(value('__proto__: 1') as object), ['__proto__']))

  describe('is refused', () => {
    const bomb = (width: number): string =>
      [
        'a0: &a0 [1,1,1,1,1,1,1,1,1,1]',
        ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(width).fill(`*a${i}`).join(',')}]`),
      ].join('\n')
    const cases: [title: string, text: string, error: RegExp][] = [
      [`more than ${aliasValuesMax} values from aliases`, bomb(10), /excessive aliasing/],
      ['an alias within itself', 'a: &a [*a]', /contains itself/],
      ['an unknown alias', 'a: *b', /unknown anchor 'b'/],
      ['deep flow', '['.repeat(100_000), /depth/],
      ['deep block', '- '.repeat(100_000), /depth/],
      [
        'deep block by indentation',
        Array.from({ length: nestingMax + 10 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
        /depth|call stack|compact/i,
      ],
      [`more than ${yamlMarkersMax} markers`, '- a\n'.repeat(yamlMarkersMax + 1), /too complex/],
      ['a number that JSON lacks', 'a: .inf', /unsupported value/],
      ['a list as a key', '? [1]\n: 2', /unsupported map key/],
      ['an open bracket', 'a: [1', /^yaml: line 1: /],
      ['a tab for indentation', 'a:\n\t- b', /^yaml: line 2: /],
    ]
    for (const [title, text, error] of cases)
      it(title, () =>
        assert.throws(
          () => decodeYaml(bytesOf(text)),
          (thrown: Error) => thrown.name === 'DecodeError' && error.test(thrown.message),
        ),
      )
  })

  it('is written with sorted keys and lists at their parent’s indentation', () => {
    const text = Buffer.from(
      encodeYaml({
        b: [{ y: 'x', a: [1] }, []],
        a: { c: 'yes', d: '', e: 'a\nb\n', f: {} },
        n: null,
        '22:22': '0644',
        t: '2024-01-01',
      }),
    ).toString('utf8')
    assert.equal(
      text,
      '"22:22": "0644"\na:\n  c: "yes"\n  d: ""\n  e: |\n    a\n    b\n  f: {}\nb:\n- a:\n  - 1\n  "y": x\n- []\n"n": null\nt: "2024-01-01"\n',
    )
  })
})
