import assert from 'node:assert/strict'
import { parse } from 'yaml'
import { configTables, tables } from '../../../api/index.ts'
import { configOfModes, parseAuthorizationConfig } from '../../../lib/authz/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables: [...tables, ...configTables] })
const head = (version: string): string =>
  `apiVersion: apiserver.config.k8s.io/${version}\nkind: AuthorizationConfiguration\n`
const webhook = `
  - type: Webhook
    name: hook
    webhook:
      timeout: 3s
      subjectAccessReviewVersion: v1
      matchConditionSubjectAccessReviewVersion: v1
      failurePolicy: Deny
      authorizedTTL: 30s
      connectionInfo: { type: KubeConfigFile, kubeConfigFile: /etc/hook.yaml }
      matchConditions:
      - expression: request.user != 'x'
`
const full = (version = 'v1'): string =>
  `${head(version)}authorizers:\n  - { type: Node, name: node }\n  - { type: RBAC, name: rbac }${webhook}`

describe('authorization configuration: a file', () => {
  it('a file in JSON is read', () => {
    const json = { ...parse(head('v1beta1')), authorizers: [{ type: 'RBAC', name: 'rbac' }] }
    const authorizers = [{ type: 'RBAC', name: 'rbac' }]
    assert.deepEqual(parseAuthorizationConfig(JSON.stringify(json), scheme.objects), { authorizers })
  })

  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    it(`a file of version ${version} is read`, () => {
      assert.deepEqual(parseAuthorizationConfig(full(version), scheme.objects), {
        authorizers: [
          { type: 'Node', name: 'node' },
          { type: 'RBAC', name: 'rbac' },
          {
            type: 'Webhook',
            name: 'hook',
            webhook: {
              kubeconfig: '/etc/hook.yaml',
              version: 'v1',
              failurePolicy: 'Deny',
              timeoutMs: 3000,
              authorizedTtlMs: 30_000,
              unauthorizedTtlMs: 30_000,
              conditions: ["request.user != 'x'"],
            },
          },
        ],
      })
    })

  const change = (from: string | RegExp, to: string): string => full().replace(from, to)
  const refused: [string, string, RegExp][] = [
    ['no YAML', 'authorizers: ][', /yaml: line 1: /],
    ['no version', 'kind: AuthorizationConfiguration', /^apiVersion: "" is none of/],
    [
      'another version',
      head('v2'),
      /no kind "AuthorizationConfiguration" is registered for version "apiserver\.config\.k8s\.io\/v2"/,
    ],
    ['nobody', head('v1'), /^authorizers: Required value/],
    ['an unknown field', change('timeout:', 'timeOut:'), /unknown field "authorizers\[2\]\.webhook\.timeOut"/],
    ['a doubled field', change('timeout: 3s', 'timeout: 3s\n      timeout: 3s'), /timeout/],
    [
      'an unknown type',
      change('type: RBAC', 'type: Rbac'),
      /^authorizers\[1\]\.type: Unsupported value: "Rbac": supported values: /,
    ],
    ['a type twice', change('type: RBAC', 'type: Node'), /^authorizers\[1\]\.type: Duplicate value: "Node"/],
    ['a name twice', change('name: rbac', 'name: node'), /^authorizers\[1\]\.name: Duplicate value: "node"/],
    ['no name', change('name: rbac', 'name: ""'), /^authorizers\[1\]\.name: Required value/],
    ['a bad name', change('name: rbac', 'name: R_B'), /^authorizers\[1\]\.name: Invalid value: "R_B": a lowercase/],
    ['no timeout', change('timeout: 3s', 'timeout: 0s'), /webhook\.timeout: Required value/],
    [
      'a long timeout',
      change('timeout: 3s', 'timeout: 31s'),
      /webhook\.timeout: Invalid value: "31s": must be > 0s and <= 30s/,
    ],
    ['no policy', change('failurePolicy: Deny', 'failurePolicy: ""'), /webhook\.failurePolicy: Required value/],
    [
      'another policy',
      change('failurePolicy: Deny', 'failurePolicy: Fail'),
      /webhook\.failurePolicy: Unsupported value: "Fail"/,
    ],
    [
      'another review',
      change('subjectAccessReviewVersion: v1', 'subjectAccessReviewVersion: v2'),
      /subjectAccessReviewVersion: Unsupported value: "v2"/,
    ],
    [
      'no file',
      change('kubeConfigFile: /etc/hook.yaml', 'kubeConfigFile: ""'),
      /connectionInfo\.kubeConfigFile: Required value/,
    ],
    [
      'a relative file',
      change('/etc/hook.yaml', 'hook.yaml'),
      /kubeConfigFile: Invalid value: "hook\.yaml": must be an absolute path/,
    ],
    [
      'a file too many',
      change('type: KubeConfigFile', 'type: InClusterConfig'),
      /can only be set when type=KubeConfigFile/,
    ],
    [
      'a webhook that is none',
      change('type: Webhook', 'type: ABAC'),
      /^authorizers\[2\]\.webhook: Invalid value: may only be specified when type=Webhook/,
    ],
    [
      'no webhook',
      `${head('v1')}authorizers:\n  - { type: Webhook, name: x }`,
      /^authorizers\[0\]\.webhook: Required value/,
    ],
    [
      'a bad condition',
      change("request.user != 'x'", 'request.usr'),
      /webhook\.matchConditions\[0\]\.expression: compilation failed/,
    ],
    [
      'a condition twice',
      full() + "      - expression: request.user != 'x'\n",
      /matchConditions\[1\]\.expression: Duplicate value/,
    ],
    [
      'many conditions',
      full() + Array.from({ length: 64 }, (_, at) => `      - expression: request.user != '${at}'\n`).join(''),
      /matchConditions: Too many: 65/,
    ],
  ]
  for (const [title, text, message] of refused)
    it(`a file with ${title} is refused`, () => {
      assert.throws(
        () => parseAuthorizationConfig(text, scheme.objects),
        (error: Error) => {
          assert.match(error.message, message)
          assert.equal(error.message.includes('\n'), false)
          return true
        },
      )
    })

  it('is not needed for modes', () => {
    const hook = { kubeconfig: '/k', version: 'v1beta1', authorizedTtlMs: 1, unauthorizedTtlMs: 2 } as const
    assert.deepEqual(configOfModes(['RBAC', 'Webhook'], hook).authorizers, [
      { type: 'RBAC', name: 'rbac', webhook: undefined },
      {
        type: 'Webhook',
        name: 'default',
        webhook: { ...hook, timeoutMs: 30_000, failurePolicy: 'NoOpinion', conditions: [] },
      },
    ])
  })
})
