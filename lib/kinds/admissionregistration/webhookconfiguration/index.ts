import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1035Label,
  validateFullyQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkRequiredFormat, checkSupported, checkUnique } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn } from '../../meta/columns.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkClientConfig } from '../clientconfig.ts'
import { byRelease, createAdmissionEnvironment, ExpressionCheck, lazily } from '../expressions.ts'
import { checkMatchConditions } from '../matchconditions.ts'
import { reservedNames } from '../reservednames.ts'
import { checkRule } from '../rules.ts'
import { webhooksFromV1beta1 } from './convert.ts'

/** Webhooks of both kinds; only mutating ones have a reinvocation policy. */
type Webhook = v1.MutatingWebhook

const path = FieldPath.root('webhooks')
const reviewVersions = ['v1', 'v1beta1']
const environments = byRelease((minor) => {
  const environment = lazily(() => createAdmissionEnvironment({ authorizer: true }, minor))
  return { expressions: environment, messages: environment }
})
const webhooksOf = (object: ApiObject): readonly Webhook[] => (object as v1.MutatingWebhookConfiguration).webhooks ?? []

function defaults(object: ApiObject): void {
  for (const webhook of webhooksOf(object)) {
    webhook.failurePolicy ??= 'Fail'
    webhook.matchPolicy ??= 'Equivalent'
    webhook.namespaceSelector ??= {}
    webhook.objectSelector ??= {}
    webhook.timeoutSeconds ??= 10
    if (object.kind === 'MutatingWebhookConfiguration') webhook.reinvocationPolicy ??= 'Never'
    for (const rule of webhook.rules ?? []) rule.scope ??= '*'
    const { service } = webhook.clientConfig
    if (service) service.port ??= 443
  }
}

function validate(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const before = old ? webhooksOf(old) : []
  const known = new Set(before.flatMap(({ matchConditions = [] }) => matchConditions.map((each) => each.expression)))
  const places = { fresh: environments(context.settings?.newExpressionsMinor), stored: environments() }
  const expressions = new ExpressionCheck(errors, places, known, context.work)
  // Names and versions that earlier releases accepted may stay.
  const uniqueNames = !old || new Set(before.map(({ name }) => name)).size === before.length
  const knownVersions = before.every((webhook) => isRecognized(webhook.admissionReviewVersions))
  const names = new Set<string>()
  for (const [index, webhook] of webhooksOf(object).entries()) {
    const at = path.index(index)
    checkWebhook(errors, webhook, at)
    checkMatchConditions(errors, webhook.matchConditions, expressions, at.child('matchConditions'))
    checkReviewVersions(errors, webhook.admissionReviewVersions, knownVersions, at.child('admissionReviewVersions'))
    if (uniqueNames) checkUnique(errors, names, webhook.name, at.child('name'))
  }
  return errors
}

function checkWebhook(errors: FieldError[], webhook: Webhook, at: FieldPath): void {
  checkRequiredFormat(errors, webhook.name, at.child('name'), validateFullyQualifiedName)
  webhook.rules?.forEach((rule, index) => checkRule(errors, rule, at.child('rules').index(index)))
  if (webhook.failurePolicy !== undefined)
    checkSupported(errors, webhook.failurePolicy, at.child('failurePolicy'), ['Fail', 'Ignore'])
  if (webhook.matchPolicy !== undefined)
    checkSupported(errors, webhook.matchPolicy, at.child('matchPolicy'), ['Equivalent', 'Exact'])
  const effects = ['None', 'NoneOnDryRun']
  if (webhook.sideEffects === undefined)
    errors.push(fieldErrors.required(at.child('sideEffects'), `must specify one of ${effects.join(', ')}`))
  else checkSupported(errors, webhook.sideEffects, at.child('sideEffects'), effects)
  const seconds = webhook.timeoutSeconds
  if (seconds !== undefined && (seconds < 1 || seconds > 30)) {
    const why = 'the timeout value must be between 1 and 30 seconds'
    errors.push(fieldErrors.invalid(at.child('timeoutSeconds'), seconds, why))
  }
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    const selector = webhook[name]
    if (selector) checkLabelSelector(errors, selector, at.child(name))
  }
  if (webhook.reinvocationPolicy !== undefined)
    checkSupported(errors, webhook.reinvocationPolicy, at.child('reinvocationPolicy'), ['IfNeeded', 'Never'])
  checkClientConfig(errors, webhook.clientConfig, at.child('clientConfig'))
}

function isRecognized(versions: readonly string[] | undefined): boolean {
  return versions?.some((version) => reviewVersions.includes(version)) === true
}

function checkReviewVersions(
  errors: FieldError[],
  versions: readonly string[] | undefined,
  requireKnown: boolean,
  at: FieldPath,
): void {
  if (!versions?.length) {
    errors.push(fieldErrors.required(at, `must specify one of ${reviewVersions.join(', ')}`))
    return
  }
  const seen = new Set<string>()
  versions.forEach((version, index) => {
    if (seen.has(version)) errors.push(fieldErrors.invalid(at.index(index), version, 'duplicate version'))
    else checkFormat(errors, version, at.index(index), validateDns1035Label)
    seen.add(version)
  })
  if (requireKnown && !isRecognized(versions))
    errors.push(fieldErrors.invalid(at, versions, `must include at least one of ${reviewVersions.join(', ')}`))
}

function definition(kind: string): KindDefinition {
  return {
    group: 'admissionregistration.k8s.io',
    kind,
    nameRule: nameRules.subdomain,
    reservedNames,
    defaults: { v1: defaults },
    convert: { v1beta1: { toHub: webhooksFromV1beta1 } },
    strategy: {
      ...specStrategy({
        hasStatus: false,
        generation: true,
        isChanged: (object, old) => !semanticEqual(webhooksOf(object), webhooksOf(old)),
        validate: (object, context) => validate(object, undefined, context),
      }),
      validateUpdate: (object, old, context) => validate(object, old, context),
    },
    columns: [
      nameColumn,
      countColumn('Webhooks', 'Webhooks that are asked.', (object) => webhooksOf(object).length),
      ageColumn,
    ],
  }
}

export const validatingWebhookConfiguration = definition('ValidatingWebhookConfiguration')
export const mutatingWebhookConfiguration = definition('MutatingWebhookConfiguration')
