import { type KindCase, refusesToCreate } from '../../../support/kindcases.ts'
import { valid } from '../../../support/valid/Secret.ts'

const texts: readonly [title: string, bytes: readonly number[] | string, why?: string][] = [
  ['an object', '{"auths": {}}'],
  ['null', 'null'],
  ['a list', '[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['nothing', '', 'unexpected end of JSON input'],
  ['half an object', '{"a"', 'unexpected end of JSON input'],
  ['a key without a value', '{"a"}', "invalid character '}' after object key"],
  ['more than an object', '{} x', "invalid character 'x' after top-level value"],
  ['other bytes', [0x86, 0xdb], "invalid character '\\u0086' looking for beginning of value"],
  ['other bytes after a number', [0x31, 0xb6], "invalid character '¶' after top-level value"],
]

const cases = texts.map(([title, bytes, why]): KindCase => {
  const data = { '.dockercfg': Buffer.from(bytes as string).toString('base64') }
  const causes = why === undefined ? [] : [`data[.dockercfg]: Invalid value: "<secret contents redacted>": ${why}`]
  return [title, (object) => Object.assign(object, { type: 'kubernetes.io/dockercfg', data }), causes]
})

describe('kinds: a secret of a registry', () => refusesToCreate(valid, cases))
