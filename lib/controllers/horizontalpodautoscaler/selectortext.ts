import type { LabelSelector } from '../../../api/gen/meta/v1.ts'
import type { Frozen } from '../../object/index.ts'

/** A metric's selector as the stock controller prints it in its events and conditions. */
export function selectorText(selector: Frozen<LabelSelector> | undefined): string {
  if (selector === undefined) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  const pairs = labels.map(([key, value]) => `${key}: ${value},`)
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
}
