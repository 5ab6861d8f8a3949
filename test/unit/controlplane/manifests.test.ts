import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { systemClock, systemRandom, unlimitedWork } from '../../../lib/base/index.ts'
import { readManifests } from '../../../lib/controlplane/admission/manifests.ts'
import { ownUser } from '../../../lib/controlplane/hooks/ownwrites.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const kinds = createKindSet(builtInKinds)
const scheme = createScheme({ tables, kinds: kinds.get })
const context = {
  clock: systemClock,
  random: systemRandom,
  user: ownUser,
  namespace: '',
  gate: () => true,
  warn() {},
  work: unlimitedWork,
}

type Files = Readonly<Record<string, string>>

function read(files: Files, ...allowed: string[]): readonly ApiObject[] {
  const listed = Object.entries(files).map(([path, text]) => ({ path, text }))
  return readManifests(listed, allowed, { scheme, kinds, context })
}

const head = (kind: string, name: string): string =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`
const constraints =
  '{resourceRules: [{operations: ["*"], apiGroups: [""], apiVersions: ["*"], resources: [configmaps]}]}'
const policy = (name: string, more = ''): string =>
  `${head('ValidatingAdmissionPolicy', name)}spec: {matchConstraints: ${constraints}, validations: [{expression: "true"}]${more}}\n`
const binding = (name: string, policyName: string, more = ''): string =>
  `${head('ValidatingAdmissionPolicyBinding', name)}spec: {policyName: ${policyName}, validationActions: [Deny]${more}}\n`
const webhook = (name: string, clientConfig: string, more = ''): string =>
  `${head('ValidatingWebhookConfiguration', name)}webhooks: [{name: a.example.com, clientConfig: ${clientConfig}, sideEffects: None, admissionReviewVersions: [v1]${more}}]\n`
const url = '{url: "https://127.0.0.1/x"}'

const policies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']
const hooks = ['ValidatingWebhookConfiguration']

describe('webhook configurations and policies from files', () => {
  it('are read from several files, documents and lists, with defaults', () => {
    const item = JSON.parse(
      '{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"c.static.k8s.io"},"spec":{"policyName":"a.static.k8s.io","validationActions":["Warn"]}}',
    ) as object
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item] })
    const found = read(
      {
        'a.yaml': `# one\n${policy('a.static.k8s.io')}---\n${binding('b.static.k8s.io', 'a.static.k8s.io')}---\n`,
        'b.json': list,
        'c.yml': '# nothing\n',
      },
      ...policies,
    )
    assert.deepEqual(
      found.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        'ValidatingAdmissionPolicy a.static.k8s.io',
        'ValidatingAdmissionPolicyBinding b.static.k8s.io',
        'ValidatingAdmissionPolicyBinding c.static.k8s.io',
      ],
    )
    const specs = found.map((object) => object['spec'] as { failurePolicy?: string })
    assert.equal(specs[0]?.failurePolicy, 'Fail')
  })

  const refused: readonly (readonly [title: string, files: Files, allowed: readonly string[], message: RegExp])[] = [
    ['that are no YAML', { a: 'a: [' }, hooks, /^unable to read file "a", line 1: yaml: /],
    ['that are no objects', { a: '- 1' }, hooks, /^unable to read file "a", line 1: it is no object$/],
    ['with a key that stands twice', { a: `${webhook('a.static.k8s.io', url)}kind: x\n` }, hooks, /key "kind" already set in map/],
    ['of another kind', { a: policy('a.static.k8s.io') }, hooks, /^file "a" has an object of admissionregistration\.k8s\.io\/v1, Kind=ValidatingAdmissionPolicy: only .* Kind=ValidatingWebhookConfiguration is allowed$/],
    ['of another version', { a: policy('a.static.k8s.io').replace('/v1', '/v1beta1') }, policies, /v1beta1, Kind=ValidatingAdmissionPolicy: only /],
    ['of a core kind', { a: 'apiVersion: v1\nkind: ConfigMap\n' }, policies, /object of v1, Kind=ConfigMap/],
    ['in a list with another field', { a: 'apiVersion: v1\nkind: List\nitem: []\n' }, hooks, /unknown field "item"$/],
    ['in a list that is none', { a: 'apiVersion: v1\nkind: List\nitems: [1]\n' }, hooks, /items must be a list of objects$/],
    ['without a name', { a: head('ValidatingWebhookConfiguration', '""') }, hooks, /^resource in file "a" must have a name$/],
    ['with a name that clients may use', { a: webhook('a.example.com', url) }, hooks, /^"a\.example\.com" in file "a" must have a name ending with "\.static\.k8s\.io"$/],
    ['twice', { a: webhook('a.static.k8s.io', url), b: webhook('a.static.k8s.io', url) }, hooks, /^duplicate name "a\.static\.k8s\.io" found in file "b" \(previously seen in "a"\)$/],
    ['with unknown fields', { a: webhook('a.static.k8s.io', url, ', failurePolice: Fail') }, hooks, /^file "a": .*unknown field "webhooks\[0\]\.failurePolice"/],
    ['with values that are not valid', { a: webhook('a.static.k8s.io', url, ', failurePolicy: Maybe') }, hooks, /^file "a": .*webhooks\[0\]\.failurePolicy: Unsupported value: "Maybe"/],
    ['with a bad expression', { a: policy('a.static.k8s.io').replace('"true"', '"1 +"') }, policies, /compilation failed/],
    ['with a service', { a: webhook('a.static.k8s.io', '{service: {name: s, namespace: ns}}') }, hooks, /clientConfig\.service is not supported for static manifests; use clientConfig\.url instead$/],
    ['with parameters', { a: policy('a.static.k8s.io', ', paramKind: {apiVersion: v1, kind: ConfigMap}') }, policies, /spec\.paramKind is not supported for static manifests$/],
    ['with a reference to parameters', { a: policy('a.static.k8s.io') + '---\n' + binding('b.static.k8s.io', 'a.static.k8s.io', ', paramRef: {name: p, parameterNotFoundAction: Deny}') }, policies, /spec\.paramRef is not supported for static manifests$/],
    ['that bind a policy of clients', { a: binding('b.static.k8s.io', 'a.example.com') }, policies, /spec\.policyName must end with "\.static\.k8s\.io"$/],
    ['that bind no policy', { a: binding('b.static.k8s.io', 'a.static.k8s.io') }, policies, /binding "b\.static\.k8s\.io" references policy "a\.static\.k8s\.io" which does not exist in the manifest directory$/],
  ] // biome-ignore format: one line a case
  for (const [title, files, allowed, message] of refused)
    it(`are refused: ${title}`, () => {
      assert.throws(() => read(files, ...allowed), (error: Error) => {
        assert.match(error.message, message)
        assert.ok(!error.message.includes('\n'))
        return true
      }) // biome-ignore format: short
    })
})
