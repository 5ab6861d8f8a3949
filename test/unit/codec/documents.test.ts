import assert from 'node:assert/strict'
import { splitDocuments } from '../../../lib/codec/index.ts'

/** `line: what`, of each document. */
function read(text: string | Uint8Array): string[] {
  return splitDocuments(Buffer.from(text)).map(({ line, content }) => {
    if (content.is === 'failure') return `${line}: ${content.message}`
    if (content.is === 'protobuf') return `${line}: ${content.bytes.length} bytes`
    const repeated = content.duplicates.map((each) => ` (${each})`).join('')
    return `${line}: ${JSON.stringify(content.value)}${repeated}`
  })
}

const cases: readonly (readonly [title: string, text: string | Uint8Array, documents: readonly string[]])[] = [
  ['one YAML document', 'a: 1\nb: 2\n', ['1: {"a":1,"b":2}']],
  ['documents begin where their first line is', '# x\n\na: 1\n---\n\n# y\nb: 2\n---\nc: 3', ['3: {"a":1}', '7: {"b":2}', '9: {"c":3}']],
  ['comments alone are no document', '# x\n---\n# y\n---\n', []],
  ['a mark may have content after it', '--- {a: 1}\n--- # note\nb: 2\n', ['1: {"a":1}', '3: {"b":2}']],
  ['a mark at the end of a document', 'a: 1\n...\n---\nb: 2\n...\n', ['1: {"a":1}', '4: {"b":2}']],
  ['a mark within a text is text', 'a: |\n  x\n  ---\n  y\n---\nb: ----\n', ['1: {"a":"x\\n---\\ny\\n"}', '6: {"b":"----"}']],
  ['Windows line ends', 'a: 1\r\n---\r\nb: 2\r\n', ['1: {"a":1}', '3: {"b":2}']],
  ['a byte order mark', '\ufeff{"a":1}', ['1: {"a":1}']],
  ['YAML that makes no sense, by its line in the file', 'a: 1\n---\nb:\n  c: 1\n d: 2\n---\ne: 1\n', ['1: {"a":1}', '5: yaml: All mapping items must start at the same column', '7: {"e":1}']],
  ['a key that stands twice, by its line in the file', 'a: 1\n---\nb: 1\nb: 2\n', ['1: {"a":1}', '3: {"b":2} (line 4: key "b" already set in map)']],
  ['JSON objects one after the other', '{"a":{"b":"}\\""}}\n{"c":[{}]}{"d":1}\n', ['1: {"a":{"b":"}\\""}}', '2: {"c":[{}]}', '2: {"d":1}']],
  ['JSON over several lines', '\n{\n"a": 1\n}\n\n{\n"b": 2}', ['2: {"a":1}', '6: {"b":2}']],
  ['JSON that makes no sense, by its line in the file', '{"a":1}\n{\n"b": 1,\n}\n{"c":1}', ['1: {"a":1}', "4: invalid character '}' looking for beginning of object key string", '5: {"c":1}']],
  ['JSON that ends too soon', '{"a":1}\n{"b": [\n', ['1: {"a":1}', '3: unexpected end of JSON input']],
  ['a JSON key that stands twice', '{"a":1,"a":2}', ['1: {"a":2} (duplicate field "a")']],
  ['JSON parted by YAML marks', '{"a":1}\n---\n{"b":2}\n', ['1: {"a":1}', '3: {"b":2}']],
  ['a protobuf envelope', Buffer.from('k8s\0abc'), ['undefined: 7 bytes']],
  ['a CBOR sequence', Uint8Array.of(0xd9, 0xd9, 0xf7, 0xa0, 0xd9, 0xd9, 0xf7, 0xa0), ['undefined: {}', 'undefined: {}']],
  ['nothing', '', []],
] // biome-ignore format: a table

describe('cmd: documents of a file', () => {
  for (const [title, text, documents] of cases) it(title, () => assert.deepEqual(read(text), documents))

  it('many documents are read in time that grows with their number alone', () => {
    const started = performance.now()
    assert.equal(splitDocuments(Buffer.from('a: 1\n---\n'.repeat(15_000))).length, 15_000)
    assert.equal(splitDocuments(Buffer.from('{"a":1}\n'.repeat(150_000))).length, 150_000)
    assert.ok(performance.now() - started < 10_000)
  })
})
