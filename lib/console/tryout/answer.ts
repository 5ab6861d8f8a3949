import {
  type AdmissionAttributes,
  type AdmissionOperation,
  type DraftRequest,
  tryExpression,
  tryMutatingPolicy,
  tryValidatingPolicy,
  tryWebhooks,
} from '../../admission/index.ts'
import { isRecord, runSteps, type Steps } from '../../base/index.ts'
import { CelError, fromValue, perCallLimit, type Value } from '../../cel/index.ts'
import { DecodeError, decodeYaml, encodeYaml, TooManyValues } from '../../codec/index.ts'
import { tryRules } from '../../crd/index.ts'
import { type ApiObject, jsonText, parseGroupVersion, parseJsonText } from '../../object/index.ts'
import type { TryoutFinding, TryoutQuestion, TryoutReport } from './report.ts'
import { structOf } from './struct.ts'

/** Maximum number of characters of a value or a message, of all of a report's, and of its findings: the page shows them. */
const textMax = 100_000
const textsMax = 1_000_000
const findingsMax = 500

/** Evaluates a draft. An unreadable text is the report's problem. */
export async function answerTryout(question: TryoutQuestion): Promise<TryoutReport> {
  try {
    const request = requestOf(question)
    const report = await answers[question.of](question, request)
    return { ...report, ...bounded(report.findings) }
  } catch (error) {
    if (error instanceof Unreadable) return { ...nothing, problem: error.message }
    throw error
  }
}

type Answer = (question: TryoutQuestion, request: DraftRequest) => TryoutReport | Promise<TryoutReport>

const nothing: TryoutReport = { problem: '', verdict: '', findings: [], left: 0, reviews: '', changed: undefined }

class Unreadable extends Error {}

function* ofExpression({ draft, variables }: TryoutQuestion, request: DraftRequest): Steps<TryoutReport> {
  if (draft.trim() === '') throw new Unreadable('There is no expression.')
  const declared = Object.entries(read('variables', variables) ?? {}).map(([name, value]) => ({
    name,
    expression: String(value),
  }))
  const { evaluated, cost } = yield* tryExpression(draft, declared, request)
  const about = { place: 'expression', expression: draft, cost, costMax: perCallLimit }
  if (evaluated.ok) return { ...nothing, findings: [{ ...about, ...shownValue(evaluated.value) }] }
  const text = 'why' in evaluated ? evaluated.why : 'the cost limit is exceeded'
  return { ...nothing, findings: [{ ...about, verdict: 'fails', text }] }
}

function shownValue(value: Value): Pick<TryoutFinding, 'verdict' | 'text'> {
  try {
    return { verdict: 'value', text: jsonText(fromValue(value) ?? null, 2) }
  } catch (error) {
    if (error instanceof CelError) return { verdict: 'value', text: error.message }
    throw error
  }
}

function* ofPolicy({ draft }: TryoutQuestion, request: DraftRequest): Steps<TryoutReport> {
  const policy = read('policy', draft)
  const spec = policy?.['spec']
  if (!isRecord(spec)) throw new Unreadable('The policy has no spec.')
  // Fields of other types than declared fail where the policy is compiled.
  if (policy?.['kind'] === 'ValidatingAdmissionPolicy')
    return { ...nothing, ...(yield* readable(tryValidatingPolicy(spec, request))) }
  if (policy?.['kind'] !== 'MutatingAdmissionPolicy')
    throw new Unreadable('The kind must be ValidatingAdmissionPolicy or MutatingAdmissionPolicy.')
  const before = yamlOf(request)
  const report = yield* readable(tryMutatingPolicy(spec, request))
  return { ...nothing, ...report, changed: { before, after: yamlOf(request) } }
}

const hookKinds = new Set<unknown>(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])

/** The server's decision about each webhook, and what those would be sent that it would call. None is called. */
function* ofWebhook({ draft }: TryoutQuestion, request: DraftRequest): Steps<TryoutReport> {
  const configuration = read('configuration', draft)
  if (!hookKinds.has(configuration?.['kind']))
    throw new Unreadable('The kind must be MutatingWebhookConfiguration or ValidatingWebhookConfiguration.')
  const webhooks = configuration?.['webhooks']
  if (!Array.isArray(webhooks) || !webhooks.every(isRecord)) throw new Unreadable('The configuration has no webhooks.')
  // Fields of other types than declared fail where the webhook is read.
  const hooks = yield* readable(tryWebhooks(webhooks as unknown as Parameters<typeof tryWebhooks>[0], request))
  const findings = hooks.flatMap(({ name, verdict, findings: conditions }): TryoutFinding[] => [
    { place: String(name), expression: '', verdict, text: '', cost: undefined, costMax: perCallLimit },
    ...conditions.map((condition) => ({ ...condition, place: `${name}: ${condition.place}` })),
  ])
  const reviews = hooks.flatMap(({ review }) =>
    review === undefined ? [] : Buffer.from(encodeYaml(parseJsonText(review))).toString('utf8'),
  )
  return { ...nothing, findings, reviews: shortened(reviews.join('---\n')) }
}

/** The rules of the version that the object is in. Findings name the fields of the object. */
function ofDefinition({ draft }: TryoutQuestion, { attributes }: DraftRequest): TryoutReport {
  const spec = read('definition', draft)?.['spec']
  const { version } = attributes.kind
  const versions = isRecord(spec) && Array.isArray(spec['versions']) ? spec['versions'].filter(isRecord) : []
  const found = versions.find(({ name }) => name === version)
  const schema = isRecord(found?.['schema']) ? found['schema']['openAPIV3Schema'] : undefined
  if (!isRecord(schema)) throw new Unreadable(`The definition has no schema for the version ${version} of the object.`)
  const { errors, warnings, cost, costMax } = triedRules(schema, attributes)
  const about = { expression: '', cost: undefined, costMax }
  const refusals = errors.map(({ field, message }) => ({
    ...about,
    place: field,
    verdict: 'refuses' as const,
    text: message,
  }))
  const kept = warnings.map((text) => ({ ...about, place: 'unchanged', verdict: 'keeps' as const, text }))
  const verdict = errors.length === 0 ? 'holds' : 'refuses'
  return { ...nothing, findings: [{ ...about, place: 'all rules', verdict, text: '', cost }, ...refusals, ...kept] }
}

function triedRules(
  schema: Record<string, unknown>,
  { object, oldObject }: DraftRequest['attributes'],
): ReturnType<typeof tryRules> {
  try {
    return tryRules(schema, object, oldObject)
  } catch (error) {
    // A schema that is not structural, or has fields of wrong types.
    throw new Unreadable(`The schema can't be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const answers: Readonly<Record<TryoutQuestion['of'], Answer>> = {
  expression: (question, request) => runSteps(ofExpression(question, request)),
  policy: (question, request) => runSteps(ofPolicy(question, request)),
  webhook: (question, request) => runSteps(ofWebhook(question, request)),
  definition: ofDefinition,
}

/** Fields of a wrong type are no error of ours: the server's validation would refuse them before. */
function* readable<Result>(steps: Steps<Result>): Steps<Result> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable(`The draft has a field of a wrong type: ${error.message}`)
    throw error
  }
}

function yamlOf({ attributes }: DraftRequest): string {
  return Buffer.from(encodeYaml(attributes.object ?? null)).toString('utf8')
}

function requestOf(question: TryoutQuestion): DraftRequest {
  const object = objectOf('object', question.object)
  const oldObject = objectOf('oldObject', question.oldObject)
  const about = object ?? oldObject
  const { namespace = '', name = '' } = about?.metadata ?? {}
  const { apiVersion = '', kind = '' } = about ?? {}
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion }
  const attributes: AdmissionAttributes = {
    operation: operationOf(question.operation),
    kind: { group, version, kind },
    resource: { group, version, resource: question.resource },
    subresource: '',
    namespace,
    name,
    user: {
      name: question.user,
      uid: '',
      groups: question.groups
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
      extra: {},
    },
    dryRun: true,
    object,
    oldObject,
    options: undefined,
    signal: new AbortController().signal,
    warn() {},
    annotate() {},
  }
  return {
    attributes,
    params: objectOf('params', question.params) ?? null,
    namespace: objectOf('namespaceObject', question.namespaceObject) ?? bareNamespace(namespace),
    struct: question.schema && structOf(question.schema),
  }
}

const operations: ReadonlySet<string> = new Set<AdmissionOperation>(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'])

function operationOf(text: string): AdmissionOperation {
  if (!operations.has(text)) throw new Unreadable(`There is no operation ${text}.`)
  return text as AdmissionOperation
}

function bareNamespace(name: string): ApiObject | null {
  if (name === '') return null
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } }
}

function objectOf(what: string, text: string): ApiObject | undefined {
  // Expressions read it as data; fields of other types than they expect are errors of theirs.
  const object = read(what, text) as ApiObject | undefined
  if (object && !isRecord(object.metadata ?? {})) throw new Unreadable(`${what}: metadata is no object.`)
  return object
}

/** Undefined for an empty text. */
function read(what: string, text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    ;({ value } = decodeYaml(Buffer.from(text)))
  } catch (error) {
    if (error instanceof DecodeError || error instanceof TooManyValues)
      throw new Unreadable(`${what}: ${error.message}`)
    throw error
  }
  if (!isRecord(value)) throw new Unreadable(`${what}: this is no object.`)
  return value
}

function bounded(findings: readonly TryoutFinding[]): Pick<TryoutReport, 'findings' | 'left'> {
  const kept: TryoutFinding[] = []
  let characters = 0
  for (const finding of findings) {
    const short = { ...finding, text: shortened(finding.text), expression: shortened(finding.expression) }
    characters += short.text.length + short.expression.length
    if (kept.length === findingsMax || characters > textsMax) break
    kept.push(short)
  }
  return { findings: kept, left: findings.length - kept.length }
}

function shortened(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax)}…`
}
