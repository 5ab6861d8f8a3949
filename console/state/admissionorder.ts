/** A kind of write to one resource. */
export interface Write {
  readonly operation: string
  readonly group: string
  readonly resource: string
}

/** A policy or webhook that such a write meets. */
export interface AdmissionStep {
  readonly phase: (typeof phases)[number]['phase']
  /** Of the object that holds it. */
  readonly object: string
  /** Of the webhook, or of the policy's binding. */
  readonly name: string
  /** What happens when it can't be asked: `Fail` or `Ignore`. */
  readonly failurePolicy: string
}

/** The objects that decide about writes, as lists by the plural names of their kinds. */
export type AdmissionObjects = Readonly<Record<string, readonly Fields[]>>

type Fields = Readonly<Record<string, unknown>>

/** In the order in which a write meets them. */
const phases = [
  { phase: 'MutatingAdmissionPolicy', policies: 'mutatingadmissionpolicies' },
  { phase: 'MutatingAdmissionWebhook', webhooks: 'mutatingwebhookconfigurations' },
  { phase: 'ValidatingAdmissionPolicy', policies: 'validatingadmissionpolicies' },
  { phase: 'ValidatingAdmissionWebhook', webhooks: 'validatingwebhookconfigurations' },
] as const

/**
 * What concerns writes of that kind by its rules, in order. Selectors and conditions depend on the object, and are not looked at.
 */
export function admissionOrder(write: Write, objects: AdmissionObjects): AdmissionStep[] {
  return phases.flatMap((each) => {
    const holders = byName(objects['webhooks' in each ? each.webhooks : each.policies] ?? [])
    if ('webhooks' in each)
      return holders.flatMap((holder) =>
        records(holder['webhooks'])
          .filter((hook) => concern(hook['rules'], write))
          .map((hook) => step(each.phase, holder, text(hook['name']), hook['failurePolicy'])),
      )
    const bindings = byName(objects[`${each.policies.replace(/policies$/, 'policy')}bindings`] ?? [])
    return holders
      .filter((policy) => concern(within(policy, 'spec', 'matchConstraints', 'resourceRules'), write))
      .flatMap((policy) =>
        bindings
          .filter((binding) => within(binding, 'spec', 'policyName') === nameOf(policy))
          .map((binding) => step(each.phase, policy, nameOf(binding), within(policy, 'spec', 'failurePolicy'))),
      )
  })
}

function step(phase: AdmissionStep['phase'], holder: Fields, name: string, failurePolicy: unknown): AdmissionStep {
  return { phase, object: nameOf(holder), name, failurePolicy: text(failurePolicy) }
}

function concern(rules: unknown, { operation, group, resource }: Write): boolean {
  const has = (list: unknown, value: string): boolean =>
    Array.isArray(list) && (list.includes('*') || list.includes('*/*') || list.includes(value))
  return records(rules).some(
    (rule) => has(rule['operations'], operation) && has(rule['apiGroups'], group) && has(rule['resources'], resource),
  )
}

function byName(objects: readonly Fields[]): Fields[] {
  return [...objects].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function nameOf(object: Fields): string {
  return text(within(object, 'metadata', 'name'))
}

function within(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isRecord(found) ? found[name] : undefined
  return found
}

function records(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How often something ran, and how long it took on average. */
export interface Timing {
  readonly count: number
  readonly meanMs: number
}

/** Of a histogram in an exposition: the timings by the value of the label `by`, of the series that have all `labels`. */
export function timingsBy(
  exposition: string,
  histogram: string,
  by: string,
  labels: Readonly<Record<string, string>>,
): Map<string, Timing> {
  const sums = new Map<string, { sum: number; count: number }>()
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  for (const line of exposition.split('\n')) {
    if (!line.startsWith(`${histogram}_`)) continue
    const [, part = '', series = '', value = ''] = /_(sum|count)\{(.*)\} (\S+)/.exec(line) ?? []
    const key = new RegExp(`(?:^|,)${by}="([^"]*)"`).exec(series)?.[1]
    if (key === undefined || !wanted.every((each) => `,${series},`.includes(`,${each},`))) continue
    const found = sums.get(key) ?? { sum: 0, count: 0 }
    sums.set(key, { ...found, [part]: found[part === 'sum' ? 'sum' : 'count'] + Number(value) })
  }
  const measured = [...sums].filter(([, { count }]) => count > 0)
  return new Map(measured.map(([key, { sum, count }]) => [key, { count, meanMs: (sum / count) * 1000 }]))
}
