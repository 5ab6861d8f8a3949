import { type KindCase, type Loose, refusesToCreate } from '../../../support/kindcases.ts'
import { valid } from '../../../support/valid/MutatingWebhookConfiguration.ts'

const at = 'webhooks[0].rules[0].resources'
const whole = "if '*' is present, must not specify other resources without subresources"
const resources = (...names: string[]) => {
  return (object: Loose): void => void (object.webhooks[0].rules[0].resources = names)
}

const cases: readonly KindCase[] = [
  ['all, then one of them', resources('*', 'pods'), [`${at}: Invalid value: ["*","pods"]: ${whole}`]],
  ['one of them, then all', resources('pods', '*'), []],
  ['all and subresources', resources('*', 'pods/status'), []],
  [
    'everything twice',
    resources('*/*', '*/*'),
    [
      `${at}[1]: Invalid value: "*/*": if '*/*' is present, must not specify */*`,
      `${at}[1]: Invalid value: "*/*": if '*/*' is present, must not specify */*`,
      `${at}: Invalid value: ["*/*","*/*"]: if '*/*' is present, must not specify other resources`,
    ],
  ],
  [
    'a subresource of everything, then of one',
    resources('*/status', 'pods/status'),
    [`${at}[1]: Invalid value: "pods/status": if '*/status' is present, must not specify pods/status`],
  ],
]

describe('kinds: rules of webhooks', () => refusesToCreate(valid, cases))
