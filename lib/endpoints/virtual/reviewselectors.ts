import type * as authorization from '../../../api/gen/authorization.k8s.io/v1.ts'
import {
  escapeFieldValue,
  parseFieldSelector,
  parseLabelSelector,
  validateLabelValue,
  validateQualifiedName,
} from '../../object/index.ts'

type ResourceAttributes = authorization.ResourceAttributes
export type Selector = authorization.FieldSelectorAttributes | authorization.LabelSelectorAttributes

/** Selectors in the form of queries. Omits an invalid selector, so that the review covers more objects, not fewer. */
export function selectorsOf(
  { fieldSelector, labelSelector }: ResourceAttributes,
  problems: string[],
): { fieldSelector?: string; labelSelector?: string } {
  const read = (
    name: string,
    selector: Selector | undefined,
    parse: (text: string) => unknown,
    format: (key: string, operator: string, values: readonly string[]) => string | undefined,
  ): string => {
    const { rawSelector = '', requirements = [] } = selector ?? {}
    if (rawSelector !== '') {
      try {
        parse(rawSelector)
        return rawSelector
      } catch {
        problems.push(`spec.resourceAttributes.${name} ignored due to parse error`)
        return ''
      }
    }
    const terms = requirements.map(({ key, operator, values = [] }) => format(key, operator, values))
    const read = terms.filter((term) => term !== undefined)
    const ignored = read.length === 0 ? 'ignored' : 'partially ignored'
    if (read.length < terms.length) problems.push(`spec.resourceAttributes.${name} ${ignored} due to parse error`)
    return read.join(',')
  }
  const fields = read('fieldSelector', fieldSelector, parseFieldSelector, fieldTerm)
  const labels = read('labelSelector', labelSelector, parseLabelSelector, labelTerm)
  return { ...(fields === '' ? {} : { fieldSelector: fields }), ...(labels === '' ? {} : { labelSelector: labels }) }
}

function fieldTerm(key: string, operator: string, [value = '', ...more]: readonly string[]): string | undefined {
  if (more.length > 0 || /[=!,\\]/.test(key)) return undefined
  if (operator === 'In') return `${key}=${escapeFieldValue(value)}`
  return operator === 'NotIn' ? `${key}!=${escapeFieldValue(value)}` : undefined
}

function labelTerm(key: string, operator: string, values: readonly string[]): string | undefined {
  if (validateQualifiedName(key).length > 0 || values.some((value) => validateLabelValue(value).length > 0))
    return undefined
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`
    case 'NotIn':
      return `${key} notin (${values.join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    default:
      return undefined
  }
}
