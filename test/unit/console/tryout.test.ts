import assert from 'node:assert/strict'
import * as net from 'node:net'
import vm from 'node:vm'
import { kindIn } from '../../../console/state/objectkind.ts'
import { tryoutProgram } from '../../../hack/bundle.ts'
import { answerTryout } from '../../../lib/console/tryout/answer.ts'
import { Buffer as PageBuffer } from '../../../lib/console/tryout/browser/buffer.ts'
import * as pageNet from '../../../lib/console/tryout/browser/net.ts'
import type { Schema } from '../../../lib/console/tryout/openapischema.ts'
import type { TryoutFinding, TryoutQuestion, TryoutReport } from '../../../lib/console/tryout/report.ts'

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  containers:
  - name: a
    image: one
`

function question(asked: Partial<TryoutQuestion>): TryoutQuestion {
  return {
    of: 'expression',
    draft: '',
    object: pod,
    oldObject: '',
    params: '',
    namespaceObject: '',
    variables: '',
    operation: 'CREATE',
    user: 'eve',
    groups: 'devs, ops',
    resource: 'pods',
    schema: undefined,
    ...asked,
  }
}

async function evaluated(draft: string, asked: Partial<TryoutQuestion> = {}): Promise<TryoutFinding> {
  const { findings, problem } = await answerTryout(question({ draft, ...asked }))
  assert.equal(problem, '')
  assert.ok(findings[0])
  return findings[0]
}

const policy = (kind: string, spec: unknown): Partial<TryoutQuestion> => ({
  of: 'policy',
  draft: JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'draft' }, spec }),
})
const validating = (spec: unknown) => policy('ValidatingAdmissionPolicy', spec)
const mutating = (spec: unknown) => policy('MutatingAdmissionPolicy', spec)
const outcomes = ({ findings }: TryoutReport) => findings.map(({ place, verdict, text }) => [place, verdict, text])

const leaf: Schema = { type: 'string' }
const containers: Schema = {
  type: 'array',
  items: { type: 'object', properties: { name: leaf, image: leaf } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
}
const schema = {
  root: {
    type: 'object',
    properties: { apiVersion: leaf, kind: leaf, spec: { allOf: [{ $ref: '#/components/schemas/Spec' }] } },
  },
  named: { Spec: { type: 'object', properties: { containers } } },
}

const definition = `spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations: [{rule: self.metadata.name == 'é', messageExpression: "'not é'"}]
`

describe('a draft in the try-out box', () => {
  it('an expression reads the variables of admission; its value and its cost are reported', async () => {
    for (const [draft, text] of [
      ['object.metadata.name', '"web"'],
      ['oldObject == null', 'true'],
      ['request.operation + request.userInfo.username + request.resource.resource', '"CREATEevepods"'],
      ['request.userInfo.groups', '[\n  "devs",\n  "ops"\n]'],
      ["namespaceObject.metadata.labels['kubernetes.io/metadata.name']", '"shop"'],
      ['params.most + variables.one', '4'],
      ['9007199254740993', '9007199254740993'],
    ] as const)
      assert.equal((await evaluated(draft, { params: 'most: 3', variables: 'one: "1"' })).text, text, draft)
    const { cost, costMax } = await evaluated('object.metadata.name')
    assert.deepEqual([cost, costMax], [3, 1_000_000])
  })

  it('errors have their position or their reason, and the authorizer says that it is not available', async () => {
    for (const [draft, error] of [
      ['object.', /<input>:1:8: Syntax error/],
      ['object.metadata.none', /no such key: none/],
      ["authorizer.path('/x').check('get').allowed()", /the authorizer is not available here/],
      ['variables.loop', /undefined field 'loop'/],
    ] as const) {
      const { verdict, text } = await evaluated(draft, { variables: 'one: "1"' })
      assert.equal(verdict, 'fails', draft)
      assert.match(text, error)
    }
    const ten = '[0,1,2,3,4,5,6,7,8,9]'
    const long = ['a', 'b', 'c', 'd', 'e', 'f'].reduceRight((inner, name) => `${ten}.all(${name}, ${inner})`, 'a < 10')
    const { text, cost } = await evaluated(long)
    assert.match(text, /actual cost limit exceeded/)
    assert.ok((cost ?? 0) > 1_000_000)
  })

  it('a validating policy reports each condition, validation and annotation as the server decides them', async () => {
    const report = await answerTryout(
      question({
        ...validating({
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConditions: [{ name: 'not-kubelets', expression: "request.userInfo.username != 'kubelet'" }],
          variables: [{ name: 'name', expression: 'object.metadata.name' }],
          validations: [
            { expression: "variables.name == 'web'" },
            {
              expression: 'variables.name == params.name',
              messageExpression: "'no ' + params.name",
              reason: 'Forbidden',
            },
            { expression: 'false', message: 'never', messageExpression: 'string(object.none)' },
            { expression: 'object.none == 1' },
          ],
          auditAnnotations: [{ key: 'seen', valueExpression: 'string(variables.name)' }],
        }),
        params: 'name: api',
      }),
    )
    assert.equal(report.verdict, 'refused')
    const [condition, first, second, third, fourth, annotation] = outcomes(report)
    assert.deepEqual(condition, ['matchConditions[not-kubelets]', 'holds', ''])
    assert.deepEqual(first, ['validations[0]', 'holds', ''])
    assert.deepEqual(second, ['validations[1]', 'refuses', 'no api'])
    assert.equal(report.findings[2]?.reason, 'Forbidden')
    assert.match(String(third), /^validations\[2\],refuses,never \(messageExpression: .*no such key: none\)$/)
    assert.match(String(fourth), /^validations\[3\],fails,.*no such key: none$/)
    assert.deepEqual(annotation, ['auditAnnotations[seen]', 'value', 'web'])
  })

  it('constraints, match conditions and the failure policy decide whether a policy counts', async () => {
    const validations = [{ expression: 'false' }]
    const resourceRules = [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
    const failing = [{ expression: 'object.none == 1' }]
    for (const [spec, verdict] of [
      [{ validations }, 'refused'],
      [{ validations, matchConstraints: { resourceRules } }, 'unselected'],
      [{ validations, matchConstraints: { objectSelector: { matchLabels: { app: 'web' } } } }, 'unselected'],
      [
        {
          validations,
          matchConditions: [
            { name: 'c', expression: 'object.none' },
            { name: 'd', expression: 'false' },
          ],
        },
        'unmet',
      ],
      [{ validations, matchConditions: [{ name: 'c', expression: 'object.none == 1' }] }, 'refused'],
      [{ validations: failing }, 'refused'],
      [{ validations: failing, failurePolicy: 'Ignore' }, 'allowed'],
    ] as const)
      assert.equal((await answerTryout(question(validating(spec)))).verdict, verdict, JSON.stringify(spec))
  })

  it('mutations change the object one after the other, and lists are merged by the keys of the schema', async () => {
    const image =
      "Object{spec: Object.spec{containers: [Object.spec.containers{name: object.spec.containers[0].name, image: 'two'}]}}"
    const spec = {
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]" },
        },
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: image } },
        { patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/none'}]" } },
      ],
    }
    const { findings, changed, verdict } = await answerTryout(question({ ...mutating(spec), schema }))
    assert.deepEqual(
      findings.map((each) => each.verdict),
      ['changes', 'changes', 'fails'],
    )
    assert.equal(verdict, 'refused')
    assert.match(changed?.after ?? '', /^ {2}labels:\n {4}a: b$/m)
    assert.match(changed?.after ?? '', /^ {2}- image: two\n {4}name: a$/m)
    const blind = await answerTryout(question(mutating({ mutations: spec.mutations.slice(1, 2) })))
    assert.match(blind.findings[0]?.text ?? '', /kind v1, Kind=Pod not found|not found/)
  })

  it('each webhook of a configuration is called or not by its rules, selectors and conditions, and is sent the review', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
    const condition = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] })
    const webhooks = [
      {
        name: 'called',
        rules,
        ...condition("request.userInfo.username == 'eve'"),
        admissionReviewVersions: ['v1beta1'],
      },
      { name: 'operation', rules: [{ ...rules[0], operations: ['DELETE'] }] },
      { name: 'labels', rules, objectSelector: { matchLabels: { app: 'web' } } },
      { name: 'namespace', rules, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
      { name: 'false', rules, ...condition('false') },
      { name: 'fails', rules, ...condition('object.none == 1') },
      { name: 'ignores', rules, ...condition('object.none == 1'), failurePolicy: 'Ignore' },
      { name: 'wrong', rules, objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
    ]
    const asked = (kind: string, of: unknown) =>
      question({ of: 'webhook', draft: JSON.stringify({ kind: `${kind}WebhookConfiguration`, webhooks: of }) })
    const report = await answerTryout(asked('Validating', webhooks))
    assert.equal(report.problem, '')
    assert.deepEqual(
      report.findings.map(({ place, verdict }) => [place, verdict]),
      [
        ['called', 'called'],
        ['called: matchConditions[c]', 'holds'],
        ['operation', 'unselected'],
        ['labels', 'unselected'],
        ['namespace', 'unselected'],
        ['false', 'unmet'],
        ['false: matchConditions[c]', 'unused'],
        ['fails', 'refused'],
        ['fails: matchConditions[c]', 'fails'],
        ['ignores', 'ignored'],
        ['ignores: matchConditions[c]', 'fails'],
        ['wrong', 'invalid'],
        ['wrong: selectors', 'fails'],
      ],
    )
    assert.match(report.reviews, /^apiVersion: admission\.k8s\.io\/v1beta1\nkind: AdmissionReview\n/m)
    assert.match(report.reviews, /^ {4}metadata:\n {6}name: web$/m)
    assert.match(report.reviews, /^ {4}username: eve$/m)
    assert.equal(report.reviews.match(/kind: AdmissionReview/g)?.length, 1)
    const configuration = JSON.stringify({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
    })
    const own = {
      ...asked('Mutating', [
        { ...webhooks[0], rules: [{ ...rules[0], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] },
      ]),
      object: configuration,
      resource: 'validatingwebhookconfigurations',
    }
    assert.deepEqual((await answerTryout(own)).findings[0]?.verdict, 'exempt')
    for (const [draft, problem] of [
      [asked('Other', []), /kind must be/],
      [asked('Validating', undefined), /no webhooks/],
      [asked('Validating', [{ name: 'a', rules: 7 }]), /wrong type/],
      [asked('Validating', [{ name: 'a', rules, matchConditions: [{ expression: 7 }] }]), /wrong type/],
    ] as const)
      assert.match((await answerTryout(draft)).problem, problem)
  })

  it('the rules of a definition are evaluated for an object of one of its versions', async () => {
    const most = {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'it only grows' }],
    }
    const spec = {
      type: 'object',
      properties: { most, least: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.least <= self.most' }, { rule: 'self.none' }],
    }
    const openAPIV3Schema = { type: 'object', properties: { spec } }
    const draft = JSON.stringify({
      kind: 'CustomResourceDefinition',
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema } }] },
    })
    const widget = (least: number, most: number) =>
      JSON.stringify({ apiVersion: 'e.org/v1', kind: 'Widget', spec: { least, most } })
    const asked = { of: 'definition', draft, object: widget(3, 1), oldObject: widget(1, 2) } as const
    const report = await answerTryout(question(asked))
    assert.deepEqual(
      outcomes(report).map(([place, verdict]) => [place, verdict]),
      [
        ['all rules', 'refuses'],
        ['spec', 'refuses'],
        ['spec', 'refuses'],
        ['spec.most', 'refuses'],
      ],
    )
    assert.match(report.findings[1]?.text ?? '', /failed rule: self\.least <= self\.most/)
    assert.match(report.findings[2]?.text ?? '', /rule compile error: .*undefined field 'none'/)
    assert.match(report.findings[3]?.text ?? '', /it only grows/)
    assert.ok((report.findings[0]?.cost ?? 0) > 0)
    assert.match(
      (await answerTryout(question({ ...asked, object: pod.replace('v1', 'e.org/v2') }))).problem,
      /no schema for the version v2/,
    )
    const broken = draft.replace('"properties":{"spec"', '"$ref":"x","properties":{"spec"')
    assert.match((await answerTryout(question({ ...asked, draft: broken }))).problem, /\$ref is not supported/)
  })

  it('hostile and malformed texts are reported, never thrown', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (name) => `${name}: &${name} [${Array(9).fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)}]\n`)}`
    for (const [asked, problem] of [
      [{ draft: 'object', object: bomb }, /^object: yaml: .*aliasing/],
      [{ draft: 'object', object: '[1]' }, /^object: this is no object/],
      [{ draft: 'object', object: 'a: [' }, /^object: yaml: line/],
      [{ draft: 'object', object: 'metadata: 1' }, /metadata is no object/],
      [{ draft: '' }, /no expression/],
      [{ draft: 'object', operation: 'PATCH' }, /no operation PATCH/],
      [validating({ validations: { a: 1 } }), /wrong type/],
      [validating({ validations: [{ expression: 7 }] }), /wrong type/],
      [validating({ matchConditions: [null] }), /wrong type/],
      [policy('Pod', {}), /kind must be/],
      [{ of: 'policy', draft: 'kind: x' }, /no spec/],
    ] as const)
      assert.match((await answerTryout(question(asked))).problem, problem, JSON.stringify(asked))
    const polluted = await evaluated('object', { object: '{"__proto__": {"x": 1}, "metadata": {}}' })
    assert.match(polluted.text, /__proto__/)
    assert.equal(Reflect.get({}, 'x'), undefined)
  })

  it('a report has at most 500 findings, and a million characters', async () => {
    const rules = (count: number, expression: string) => validating({ validations: Array(count).fill({ expression }) })
    const many = await answerTryout(question(rules(501, 'false')))
    assert.deepEqual([many.findings.length, many.left, many.verdict], [500, 1, 'refused'])
    const long = await answerTryout(question(rules(20, `object.none == '${'x'.repeat(90_000)}'`)))
    assert.deepEqual([long.findings.length, long.left], [5, 15])
  })

  it('the bundled thread answers the same, without anything of Node and without compiling text', async () => {
    const { contents } = await tryoutProgram()
    const sent: unknown[] = []
    const scope: { onmessage?: (event: { data: TryoutQuestion }) => void } = {}
    const global = { TextEncoder, TextDecoder, AbortController, atob, btoa, URL }
    const send = { postMessage: (message: unknown) => void sent.push(message) }
    const context = vm.createContext(Object.assign(scope, global, send), {
      codeGeneration: { strings: false, wasm: false },
    })
    vm.runInContext(Buffer.from(contents).toString('utf8'), context)
    const asked = [
      question({ draft: "ip('::1').family() == 6 && url('http://[::1]:80/a%20b').getHost() == '[::1]:80'" }),
      question({ draft: "[b'a' + b'é' == b'aé', b'a' < b'b', '%x'.format(['é']) == 'c3a9', 'web'.matches('^w')]" }),
      question({ draft: '{"é": b"é\\xff"}', object: JSON.stringify({ metadata: { name: 'é' } }) }),
      question({ draft: 'object.', object: '' }),
      question({ of: 'definition', draft: definition }),
      question({
        of: 'webhook',
        draft: `kind: ValidatingWebhookConfiguration
webhooks:
- name: é
  rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}]
  objectSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}
  matchConditions: [{name: c, expression: 'object.metadata.name.matches("^w")'}]
`,
      }),
      question(
        validating({
          validations: [
            { expression: 'object.none == 1', messageExpression: "'é'" },
            { expression: 'false', messageExpression: "'é'" },
          ],
        }),
      ),
      question({
        ...mutating({
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: {
                expression: "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'b'}]}}",
              },
            },
          ],
        }),
        schema,
      }),
    ]
    for (const each of asked) {
      scope.onmessage?.({ data: each })
      const expected = await answerTryout(each)
      const answered = sent.length
      assert.deepEqual(JSON.parse(JSON.stringify(sent.at(-1))), JSON.parse(JSON.stringify(expected)), each.draft)
      assert.ok(answered > 1)
    }
    assert.deepEqual(sent[0], 'ready')
    assert.equal(sent.length, asked.length + 1)
  })

  it('addresses and bytes in the page are read as Node reads them', () => {
    const addresses = '1.2.3.4 01.2.3.4 256.1.1.1 1.2.3 1.2.3.4.5 :: ::1 1:: 1::2 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7::'
    const more =
      '1:2:3:4:5:6:7:8:9 ::1:2:3:4:5:6:7:8 1::2::3 ::ffff:1.2.3.4 1.2.3.4::1 ::1.2.3 :1 1: : ::: 12345:: g:: fe80::1%eth0 fe80::1% %e'
    for (const text of ['', ...addresses.split(' '), ...more.split(' ')])
      assert.deepEqual([pageNet.isIPv4(text), pageNet.isIPv6(text)], [net.isIPv4(text), net.isIPv6(text)], text)
    for (const text of ['', 'aé€😀', '\ufeffa', '\ud800', 'YWI=', 'YW-_', 'Y W\nI', 'YWIx=YQ', 'Y', '0a0', 'zz'])
      for (const encoding of ['utf8', 'hex', 'base64'] as const) {
        const ours = PageBuffer.from(text, encoding)
        const theirs = Buffer.from(text, encoding)
        assert.deepEqual([...ours], [...theirs], `${text} ${encoding}`)
        assert.equal(ours.toString(encoding), theirs.toString(encoding))
        assert.equal(PageBuffer.byteLength(text), Buffer.byteLength(text))
      }
    const [a, b] = [Buffer.from('ab'), Buffer.from('b')]
    for (const [x, y] of [
      [a, b],
      [b, a],
      [a, a],
      [a, a.subarray(1)],
    ] as const)
      assert.equal(PageBuffer.compare(x, y), Buffer.compare(x, y))
    assert.equal(PageBuffer.concat([a, b]).toString(), 'abb')
    assert.equal(PageBuffer.from(a.buffer, a.byteOffset, a.length).toString(), 'ab')
  })

  it('the kind of a text is read from YAML and JSON', () => {
    for (const text of [
      'kind: "A"\napiVersion: b/v1 # c\nspec:\n  kind: C',
      '{"spec":{"kind":"C"},"kind":"A","apiVersion":"b/v1"}',
    ])
      assert.deepEqual(kindIn(text), { apiVersion: 'b/v1', kind: 'A' })
    assert.deepEqual(kindIn('{'), { apiVersion: '', kind: '' })
  })
})
