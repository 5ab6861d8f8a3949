import { type ApiObject, fieldOf, isRecord, records, text } from './values.ts'

/** A label selector, or the plain map of a ReplicationController or Service, as a query parameter; '' for none. */
export function selectorText(selector: unknown): string {
  if (!isRecord(selector)) return ''
  const isPlain = selector['matchLabels'] === undefined && selector['matchExpressions'] === undefined
  const equal = isPlain ? selector : isRecord(selector['matchLabels']) ? selector['matchLabels'] : {}
  const parts = Object.entries(equal).map(([key, value]) => `${key}=${String(value)}`)
  for (const { key, operator, values } of records(selector['matchExpressions'])) {
    const list = Array.isArray(values) ? values.join(',') : ''
    if (operator === 'In' || operator === 'NotIn') parts.push(`${text(key)} ${operator.toLowerCase()} (${list})`)
    else parts.push(operator === 'Exists' ? text(key) : `!${text(key)}`)
  }
  return parts.join(',')
}

/** Whether the object has a template of pods and a selector that finds them. */
export function selectsPods(object: ApiObject | undefined): boolean {
  return fieldOf(object, 'spec', 'selector') !== undefined && fieldOf(object, 'spec', 'template', 'spec') !== undefined
}
