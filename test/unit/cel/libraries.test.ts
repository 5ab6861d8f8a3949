import assert from 'node:assert/strict'
import {
  bindingsLibrary,
  compile,
  createEnvironment,
  fromValue,
  kubernetesLibraries,
  types,
} from '../../../lib/cel/index.ts'

const environment = createEnvironment({
  variables: { words: types.list(types.string), text: types.string },
  libraries: [...kubernetesLibraries(), bindingsLibrary()],
})
const data = { words: ['a', 'b', 'c', 'b'], text: 'tacocat' }

/** Each holds. */
const truths: Readonly<Record<string, readonly string[]>> = {
  strings: [
    "text.charAt(3) == 'o' && text.charAt(7) == ''",
    "text.indexOf('c') == 2 && text.indexOf('c', 3) == 4 && text.indexOf('x') == -1",
    "text.lastIndexOf('c') == 4 && text.lastIndexOf('c', 3) == 2 && text.lastIndexOf('') == 7",
    "'TacoCÆt'.lowerAscii() == 'tacocÆt' && 'tacoCÆt'.upperAscii() == 'TACOCÆT'",
    "text.replace('ta', 'x') == 'xcocat' && text.replace('t', 'T', 1) == 'Tacocat'",
    "'abc'.replace('', '_') == '_a_b_c_' && 'abc'.replace('b', 'x', 0) == 'abc'",
    "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a,b'.split(',', 0) == []",
    "'😀x'.split('') == ['😀', 'x'] && '😀x'.size() == 2 && '😀x'.charAt(1) == 'x'",
    "text.substring(4) == 'cat' && text.substring(0, 4) == 'taco' && 'ta©o😄c'.substring(2, 5) == '©o😄'",
    "'  \\t trim\\u00a0\\n '.trim() == 'trim'",
    "['x', 'y'].join() == 'xy' && ['x', 'y'].join('-') == 'x-y' && [].join('-') == ''",
    "'%s is %d, %.2f, %x, %b'.format(['a', dyn(3), dyn(1.255), dyn(255), dyn(true)]) == 'a is 3, 1.25, ff, 1'",
    'strings.quote(\'a"b\\n\') == \'"a\\\\"b\\\\n"\'',
  ],
  lists: [
    '[1, 2, 3].sum() == 6 && [1.5, 1.0].sum() == 2.5 && [].sum() == 0',
    "[duration('1m'), duration('1s')].sum() == duration('61s')",
    '[1, 3, 2].max() == 3 && [1, 3, 2].min() == 1',
    "words.max() == 'c' && !words.isSorted() && [1, 1, 2].isSorted() && [].isSorted()",
    "words.indexOf('b') == 1 && words.lastIndexOf('b') == 3 && words.indexOf('z') == -1",
    'sets.contains([1, 2, 3], [3, 1]) && !sets.contains([1], [2]) && sets.contains([], [])',
    'sets.equivalent([1, 1], [1]) && !sets.equivalent([1], [1, 2])',
    'sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [])',
    '[1, 2, 3].slice(1, 3) == [2, 3] && [1].slice(0, 0) == [] && [1, 2, 3].reverse() == [3, 2, 1]',
    '[[1, 2], [3]].flatten() == [1, 2, 3] && [dyn([[2], [3]])].flatten(2) == [dyn(2), dyn(3)]',
    "words.sort().isSorted() && [3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b'] && [].sort() == []",
    "['ccc', 'a', 'bb'].sortBy(w, size(w)) == ['a', 'bb', 'ccc'] && [1, 2].sortBy(n, [2, 1].sortBy(m, m * n)[0] - n) == [2, 1]",
    '[1, 1, 2, 1].distinct() == [1, 2] && [dyn(1), dyn(1.0), dyn(1u)].distinct().size() == 1',
    'lists.range(3) == [0, 1, 2] && lists.range(0) == []',
    '[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue()',
    'optional.unwrap([optional.of(1), optional.none()]) == [1] && [optional.of(1), optional.none()].unwrapOpt() == [1]',
  ],
  regex: [
    "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
    "'123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '123 abc 456'.findAll('[0-9]+', 1) == ['123']",
    "'123'.findAll('x') == [] && 'ab'.findAll('.', 0) == []",
    "'hello'.matches('^h.*o$') && matches('hello', 'ell')",
  ],
  urls: [
    "url('https://example.com:80/').getScheme() == 'https' && url('/path').getScheme() == ''",
    "url('https://example.com:80/').getHost() == 'example.com:80'",
    "url('https://[::1]:80/').getHost() == '[::1]:80' && url('https://[::1]:80/').getHostname() == '::1'",
    "url('https://example.com:80/').getHostname() == 'example.com' && url('/path').getHostname() == ''",
    "url('https://example.com:80/').getPort() == '80' && url('https://example.com/').getPort() == ''",
    "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'",
    "url('https://example.com/path?k1=a&k2=b&k2=c&k3=d%20e').getQuery() == {'k1': ['a'], 'k2': ['b', 'c'], 'k3': ['d e']}",
    "url('https://example.com/path?').getQuery() == {}",
    "isURL('https://user:pass@example.com:80/path?query=val#fragment') && isURL('/absolute') && isURL('mailto:a@b.c')",
    "!isURL('https://a:b:c/') && !isURL('../relative') && !isURL('') && !isURL('http://a b/') && !isURL('http://[::1/')",
    "url('https://a.com') == url('https://a.com') && url('https://a.com') != url('https://b.com')",
  ],
  ip: [
    "isIP('127.0.0.1') && isIP('::1') && isIP('2001:db8::abcd') && isIP('1:2:3:4:5:6:7:8')",
    "!isIP('127.0.0.256') && !isIP('01.2.3.4') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%en0') && !isIP('1::2::3')",
    "ip('127.0.0.1').family() == 4 && ip('::1').family() == 6",
    "ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified() && ip('127.0.0.1').isLoopback() && ip('::1').isLoopback()",
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()",
    "ip('169.254.169.254').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()",
    "ip('192.168.0.1').isGlobalUnicast() && ip('2001:db8::abcd').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
    "ip.isCanonical('127.0.0.1') && ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD') && !ip.isCanonical('2001:db8:0:0::abcd')",
    "string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1' && ip('127.0.0.1') == ip('127.0.0.1')",
    "isCIDR('192.168.0.0/24') && isCIDR('::1/128') && !isCIDR('192.168.0.0/33') && !isCIDR('192.168.0.0') && !isCIDR('1.2.3.4/08')",
    "cidr('192.168.0.0/24').containsIP('192.168.0.1') && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))",
    "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.1.0/24').containsCIDR(cidr('192.168.0.0/16'))",
    "!cidr('::/0').containsIP('1.2.3.4')",
    "cidr('192.168.0.1/24').ip() == ip('192.168.0.1') && cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')",
    "cidr('192.168.0.0/24').prefixLength() == 24 && string(cidr('::1/128')) == '::1/128'",
  ],
  quantity: [
    "isQuantity('1.3G') && isQuantity('1.3Gi') && !isQuantity('1,3G') && isQuantity('10000k') && !isQuantity('200K') && !isQuantity('Three')",
    "quantity('50000000G').isInteger() && !quantity('50m').isInteger() && !quantity('9999999999999999999999G').isInteger()",
    "quantity('50000000G').asInteger() == 50000000000000000 && quantity('-2k').asInteger() == -2000",
    "quantity('50.703k').asApproximateFloat() == 50703.0",
    "quantity('200M').compareTo(quantity('0.2G')) == 0 && quantity('50M').compareTo(quantity('50Mi')) == -1",
    "quantity('150Mi').isGreaterThan(quantity('100Mi')) && quantity('50M').isLessThan(quantity('100M'))",
    "quantity('1Mi') == quantity('1024Ki') && quantity('-1').sign() == -1 && quantity('0').sign() == 0",
    "quantity('50k').add('20k' == '' ? quantity('1') : quantity('20k')) == quantity('70k') && quantity('50k').add(20) == quantity('50020')",
    "quantity('50k').sub(quantity('20k')) == quantity('30k') && quantity('50k').sub(20000) == quantity('30k')",
    "quantity('0.1n').isGreaterThan(quantity('0'))",
  ],
  semver: [
    "isSemver('1.0.0') && !isSemver('1.0') && !isSemver('v1.0.0') && !isSemver('01.0.0') && isSemver('1.0.0-alpha.1+build.5')",
    "isSemver('v1', true) && isSemver('01.02.03', true) && !isSemver('1.0-alpha', true)",
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
    "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('2.0.0').isGreaterThan(semver('2.0.0-rc.1'))",
    "semver('1.0.0-alpha.2').compareTo(semver('1.0.0-alpha.10')) == -1 && semver('1.0.0+a') == semver('1.0.0+b')",
    "semver('v01.2', true) == semver('1.2.0')",
  ],
  format: [
    "!format.dns1123Label().validate('my-label').hasValue() && format.dns1123Label().validate('My_label').hasValue()",
    "!format.dns1123Subdomain().validate('a.b-c').hasValue() && !format.dns1035Label().validate('a1').hasValue()",
    "!format.dns1123LabelPrefix().validate('my-label-').hasValue() && format.dns1123Label().validate('my-label-').hasValue()",
    "!format.qualifiedName().validate('example.com/name').hasValue() && !format.labelValue().validate('').hasValue()",
    "!format.uri().validate('https://a.b').hasValue() && format.uri().validate('a b').hasValue()",
    "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() && format.uuid().validate('x').value() == ['does not match the UUID format']",
    "!format.byte().validate('aGVsbG8=').hasValue() && !format.date().validate('2021-01-01').hasValue() && format.date().validate('2021-13-01').hasValue()",
    "!format.datetime().validate('2021-01-01T00:00:00Z').hasValue() && format.datetime().validate('2021').hasValue()",
    "format.named('labelValue').hasValue() && !format.named('nothing').hasValue()",
  ],
  optionals: [
    "{'a': {'b': 1}}.?a.?b.orValue(0) == 1 && {'a': {'b': 1}}.?x.?b.orValue(0) == 0",
    '[1, 2][?5].or(optional.of(3)).value() == 3 && optional.of(2).optMap(x, x * 2).value() == 4',
    "optional.none().optFlatMap(x, optional.of(x)) == optional.none() && optional.ofNonZeroValue('') == optional.none()",
    "{?'a': optional.none(), 'b': 1} == {'b': 1} && [?optional.of(1), ?optional.none()] == [1]",
    "has({'a': {'b': 1}}.?a.b) && !has(optional.of({'a': 1}).b)",
  ],
  'two-variable comprehensions': [
    "['a', 'b'].all(i, v, i < 2 && v < 'c') && {'a': 1}.exists(k, v, k == 'a' && v == 1) && [3, 4].existsOne(i, v, v == i + 3) == false",
    "['a', 'b'].transformList(i, v, string(i) + v) == ['0a', '1b'] && [1, 2, 3].transformList(i, v, v > 1, v) == [2, 3]",
    "{'a': 1, 'b': 2}.transformMap(k, v, v == 2, v * 10) == {'b': 20} && ['x'].transformMapEntry(i, v, {v: i}) == {'x': 0}",
  ],
  language: [
    'size("é") == 1 && b"é".size() == 2 && 7 / -2 == -3 && -7 % 3 == -1 && 1 < 2.5 && 2u > 1 && dyn(1) == 1.0',
    '9223372036854775807 == 9223372036854775806 + 1 && -9223372036854775808 < 0 && 9007199254740993 - 9007199254740992 == 1',
    "timestamp('2023-01-01T00:00:00Z').getDayOfWeek() == 0 && timestamp('2023-01-01T23:30:00Z').getDate('+01:00') == 2",
    "timestamp('2023-06-01T12:00:00Z').getHours('America/New_York') == 8 && duration('90m').getHours() == 1",
    "string(duration('1h30m')) == '5400s' && timestamp('2023-01-01T00:00:00Z') - timestamp('2022-12-31T00:00:00Z') == duration('24h')",
    "type(1) == int && type('a') == string && type([]) == list && type(type(1)) == type && type(null) == null_type",
    '(1 / 0 == 1 || true) && !(1 / 0 == 1 && false) && [0, 1].exists(x, 1 / x == 1) && cel.bind(x, 1 / 0, true)',
    "'\\u0061\\x62\\143' == 'abc' && r'\\n'.size() == 2 && '''a'b''' == \"a'b\" && b'\\xff'.size() == 1",
    "'a' < '\\U0001F600' && '\\uffff' < '\\U0001F600'",
  ],
}

/** Each fails when it is evaluated. */
const failures: readonly string[] = [
  "text.charAt(8) == ''",
  "text.substring(5, 2) == ''",
  'words.filter(w, false).max() == ""',
  "url('a b') == url('a b')",
  "ip('1.2.3') == ip('1.2.3')",
  "cidr('1.2.3.4/40').prefixLength() == 1",
  "quantity('x').isInteger()",
  "quantity('50m').asInteger() == 0",
  "semver('1').major() == 1",
  "(text + '%d').format(['a']) == ''",
  "(text + '%s').format([]) == ''",
  "text.matches(text + '[')",
  "timestamp('2023-01-01T00:00:00Z').getHours('Nowhere/None') == 1",
  "int('9223372036854775808' + '') == 1",
  'int(1e19 * 1.0) == 1',
  'uint(dyn(0 - 1)) == 1u',
  '[1].slice(0, words.size()) == [1]',
  '[1].slice(2 - words.size(), 1) == [1]',
  '[[1]].flatten(2 - words.size()) == []',
  "[dyn(1), dyn('a')].sort() == []",
  'lists.range(0 - words.size()) == []',
  'lists.range(1000001) == []',
  "{'a': 1}.transformMapEntry(k, v, {'x': 1}).size() == 1 && ['a', 'b'].transformMapEntry(i, v, {'x': i}) == {}",
]

function evaluate(text: string): unknown {
  const compiled = compile(environment, text, { expectedType: types.bool })
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
  const outcome = compiled.program.evaluate(data)
  return outcome.ok ? fromValue(outcome.value) : outcome.error
}

describe('cel libraries', () => {
  for (const [library, expressions] of Object.entries(truths)) {
    describe(library, () => {
      for (const expression of expressions) it(expression, () => assert.equal(evaluate(expression), true))
    })
  }

  for (const expression of failures) {
    it(`fails ${expression}`, () => assert.equal(typeof (evaluate(expression) as { code?: unknown }).code, 'string'))
  }

  const since: readonly (readonly [number, string])[] = [
    [0, "url('/a').getHost() == ''"],
    [28, "quantity('1').isInteger()"],
    [28, '1 < 2.0'],
    [28, "{'a': 1}.?a.hasValue()"],
    [29, 'sets.contains([1], [1])'],
    [29, "'%s'.format(['a']) == 'a'"],
    [30, "isIP('::1')"],
    [30, "isCIDR('::1/64')"],
    [31, "format.named('uri').hasValue()"],
    [32, '[1].all(i, v, v == 1)'],
    [32, "jsonpatch.escapeKey('a/b') == 'a~1b'"],
    [33, "isSemver('1.0.0')"],
    [34, '[1].slice(0, 1) == [1]'],
    [34, '[[1]].flatten() == [1]'],
    [34, '[1].distinct() == [1]'],
    [34, '[1].reverse() == [1]'],
    [34, '[1].sort() == [1]'],
    [34, '[1].sortBy(x, x) == [1]'],
    [34, 'lists.range(1) == [0]'],
    [34, '[1].first().hasValue() && [1].last().hasValue()'],
    [34, 'optional.unwrap([optional.of(1)]) == [1]'],
  ]
  for (const [minor, expression] of since) {
    it(`knows ${expression} since 1.${minor} and refuses it before`, () => {
      const at = (version: number) =>
        compile(createEnvironment({ libraries: kubernetesLibraries(version) }), expression).ok
      assert.equal(at(minor), true)
      assert.equal(compile(createEnvironment({ libraries: kubernetesLibraries() }), expression).ok, true)
      if (minor > 0) assert.equal(at(minor - 1), false)
    })
  }

  it('knows cel.bind only where it was asked for', () => {
    const stock = createEnvironment({ libraries: kubernetesLibraries() })
    assert.equal(compile(stock, 'cel.bind(x, 1, x)').ok, false)
    assert.equal(compile(environment, 'cel.bind(x, 1, x)').ok, true)
  })

  it('refuses mixed literals, dyn being a type like others', () => {
    assert.equal(compile(environment, "[1, 'a'].size() == 2").ok, false)
    assert.equal(compile(environment, "[1, dyn('a')].size() == 2").ok, false)
    assert.equal(compile(environment, "[dyn(1), dyn('a')].size() == 2").ok, true)
    assert.equal(compile(environment, "{'a': 1, 'b': 'x'}.size() == 2").ok, false)
  })
})
