import assert from 'node:assert/strict'
import { createTemplate } from '../../../lib/hollownode/template/template.ts'
import { TemplateError, type Value } from '../../../lib/hollownode/template/value.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const data: Value = {
  name: 'web',
  count: 3,
  ratio: 0.5,
  on: true,
  off: false,
  none: [],
  list: ['a', 'b', 'c'],
  map: { b: 2, a: 1 },
  nested: { deep: { value: 'x' } },
  items: [{ name: 'one', image: 'i:1' }, { name: 'two' }],
}
const around = { Node: { least: 0, run: () => 'n0' } }
const render = (text: string): string => createTemplate(text, new Set(['Node'])).render(data, around)

describe('templates of stages', () => {
  const results: readonly (readonly [template: string, result: string])[] = [
    ['plain } text {', 'plain } text {'],
    ['{{ .name }} {{.count}} {{ .ratio }} {{ .on }}', 'web 3 0.5 true'],
    ['{{ .missing }}|{{ .missing.too }}|{{ nil }}', '<no value>|<no value>|<no value>'],
    ['{{ .list }} {{ .map }}', '[a b c] map[a:1 b:2]'],
    ['a {{- /* a comment */ -}} b', 'ab'],
    ['a\n{{- 1 -}}\n b {{ 2 -}} \n c', 'a1b 2c'],
    ['{{ "a}}\\n\\"b\\"" }} {{ `raw}}\\n` }}', 'a}}\n"b" raw}}\\n'],
    ['{{ $x := .name }}{{ $x }}{{ $x = "new" }}{{ $x }}{{ $.count }}', 'webnew3'],
    ['{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $x := 3 }}{{ $x }}{{ end }}{{ $x }}', '32'],
    ['{{ if .off }}a{{ else if .none }}b{{ else if .on }}c{{ else }}d{{ end }}', 'c'],
    ['{{ with .nested.deep }}{{ .value }}{{ end }}{{ with .none }}{{ else }}empty{{ end }}', 'xempty'],
    ['{{ with .off }}a{{ else with .name }}{{ . }}{{ end }}', 'web'],
    ['{{ range .list }}<{{ . }}>{{ end }}', '<a><b><c>'],
    ['{{ range $i, $v := .list }}{{ $i }}{{ $v }}{{ $.name }} {{ end }}', '0aweb 1bweb 2cweb '],
    ['{{ range $k, $v := .map }}{{ $k }}={{ $v }} {{ end }}', 'a=1 b=2 '],
    ['{{ range $v := .items }}{{ $v.name }} {{ .image | default "none" }};{{ end }}', 'one i:1;two none;'],
    ['{{ range .none }}x{{ else }}none{{ end }}{{ range .missing }}x{{ end }}', 'none'],
    ['{{ range 5 }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ if eq . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}', '02'],
    ['{{ or .missing .off "last" }} {{ and .on .count }} {{ or .on ( index .list 99 ) }}', 'last 3 true'],
    ['{{ eq .name "db" "web" }} {{ eq .missing "a" }} {{ ne .count 3 }} {{ not .none }}', 'true false false true'],
    ['{{ lt 1 2 }} {{ ge "b" "a" }} {{ len .list }} {{ len .name }}', 'true true 3 3'],
    ['{{ index .list 1 }} {{ index .map "a" }} {{ index .items 0 "name" }} {{ index .map "z" }}', 'b 1 one <no value>'],
    ['{{ slice .name 1 }} {{ slice .list 1 2 }}', 'eb [b]'],
    [
      '{{ printf "%s-%03d %q %v %5.1f|%-4s|%t%%" .name 7 "a" .list .ratio "x" .on }}',
      'web-007 "a" [a b c]   0.5|x   |true%',
    ],
    ['{{ print 1 2 "a" 3 }}', '1 2a3'],
    ['{{ .name | printf "%s %s" "the" | upper | quote }}', '"THE WEB"'],
    ['{{ (index .items 0).name }} {{ ( .nested ).deep.value }}', 'one x'],
    ['{{ Quote .name }} {{ .count | Quote }} {{ Quote .missing }}', '"web" "3" "null"'],
    ['x:{{ YAML .map 1 }}', 'x:\n  b: 2\n  a: 1\n  '],
    [
      '{{ toJson .items }} {{ dict "a" 1 "b" | toJson }} {{ list 1 "x" | join "-" }}',
      '[{"name":"one","image":"i:1"},{"name":"two"}] {"a":1,"b":""} 1-x',
    ],
    [
      '{{ add 1 2 3 }} {{ sub 5 2 }} {{ add1 .count }} {{ mul 2 3 }} {{ div 7 2 }} {{ mod 7 2 }} {{ int "12" }}',
      '6 3 4 6 3 1 12',
    ],
    ['{{ ternary "a" "b" .on }} {{ coalesce .off "" "c" }} {{ hasKey .map "a" }} {{ until 3 }}', 'a c true [0 1 2]'],
    ['{{ replace "a" "o" "banana" }} {{ trimPrefix "x-" "x-y" }} {{ contains "e" .name }}', 'bonono y true'],
    ['{{ define "greet" }}hi {{ .who }}{{ $ }}{{ end }}{{ template "greet" dict "who" .name }}', 'hi webmap[who:web]'],
    ['{{ Node }} {{ .constructor }} {{ index .map "__proto__" }}', 'n0 <no value> <no value>'],
  ]
  for (const [template, result] of results)
    it(`${JSON.stringify(template)} becomes ${JSON.stringify(result)}`, () => {
      assert.equal(render(template), result)
    })

  const refusals: readonly (readonly [template: string, line: number, message: string])[] = [
    ['a\n{{ env "HOME" }}', 2, 'the function "env" is not known here'],
    ['{{ if .a }}\n\n', 1, '{{if}} has no {{end}}'],
    ['\n{{ end }}', 2, 'unexpected {{end}}'],
    ['{{ .a\n', 1, 'an action has no end'],
    ['{{ $x }}', 1, 'the variable $x is not declared'],
    ['{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}', 1, 'the variable $x is not declared'],
    ['{{ .a .b }}', 1, 'only functions have arguments'],
    ['{{ (1 }}', 1, 'a parenthesis is not closed'],
    ['{{ | upper }}', 1, 'a value is missing'],
    ['{{ break }}', 1, '{{break}} outside of {{range}}'],
    ['{{ template "x" }}', 1, 'the template "x" is not defined'],
    ['{{ "\\q" }}', 1, 'the escape \\q is not known here'],
    ['{{ ? }}', 1, '"? }}" is not understood'],
    ['\n\n{{ .name.first }}', 3, 'a string has no field first'],
    ['{{ index .list 7 }}', 1, 'the index 7 is out of range'],
    ['{{ range .name }}{{ end }}', 1, "range can't go over a string"],
    ['{{ upper 3 }}', 1, 'a number is no string'],
    ['{{ upper }}', 1, 'upper takes 1 arguments, not 0'],
    ['{{ .name | .count }}', 1, 'only functions take a value from a pipeline'],
    ['{{ div 1 0 }}', 1, 'division by zero'],
    ['{{ printf "%z" 1 }}', 1, 'the directive %z is not known here'],
    ['{{ lt 1 "a" }}', 1, "a number and a string can't be compared"],
  ]
  for (const [template, line, message] of refusals)
    it(`${JSON.stringify(template)} is refused: ${message}`, () => {
      assert.throws(() => render(template), new TemplateError(line, message))
    })

  const big = '{{ $x := "0123456789abcdef" }}{{ range 13 }}{{ $x = print $x $x }}{{ end }}'
  const attacks: readonly (readonly [name: string, template: string, message: RegExp])[] = [
    ['loops without end', '{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}', /more than 100000 steps/],
    ['a long result', '{{ range 90000 }}0123456789{{ end }}', /more than 131072 characters/],
    [
      'a text that doubles',
      '{{ $x := "a" }}{{ range 40 }}{{ $x = print $x $x }}{{ end }}',
      /more than 131072 characters/,
    ],
    [
      'a list that doubles',
      '{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}',
      /more than 100000 steps/,
    ],
    [
      'a list that doubles, as JSON',
      '{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
      /more than 100000 steps/,
    ],
    [
      'lists that double, compared',
      '{{ $x := list 1 }}{{ $y := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ $y = list $y $y }}{{ end }}{{ eq $x $y }}',
      /more than 100000 steps/,
    ],
    ['a replacement by much', `${big}{{ replace "0" $x $x }}`, /at most 131072 characters/],
    [
      'many long texts',
      `${big}{{ range 1000 }}{{ $y := upper $x }}{{ end }}`,
      /make more than 1048576 characters|steps/,
    ],
    [
      'many looks at a long text',
      `${big}{{ range 90000 }}{{ $y := contains "z" $x }}{{ end }}`,
      /more than 100000 steps/,
    ],
    ['wide numbers', `{{ printf "${'%1000d'.repeat(200)}"${' 1'.repeat(200)} }}`, /at most 131072 characters/],
    ['a width beyond measure', '{{ printf "%99999999d" 1 }}', /wider than 1000/],
    ['indented lines', `{{ indent 1000 "${'\\n'.repeat(1000)}" }}`, /at most 131072 characters/],
    [
      'a template that uses itself',
      '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      /more than 50 templates/,
    ],
    ['deep blocks', '{{ if true }}'.repeat(100), /more than 50 blocks/],
    ['deep parentheses', `{{ ${'('.repeat(5000)} }}`, /more than 50 blocks/],
    ['many parts', '{{1}}'.repeat(20_000), /more than 10000 parts/],
    ['comments without an end', '{{/*'.repeat(20_000), /not understood/],
    ['a long list', '{{ until 100000000 }}', /at most 10000 entries/],
  ]
  for (const [name, template, message] of attacks)
    it(`${name}: the end comes soon`, () => {
      const beforeMs = threadCpuMs()
      assert.throws(() => render(template), message)
      const tookMs = threadCpuMs() - beforeMs
      assert.ok(tookMs < 250, `${tookMs} ms`)
    })
})
