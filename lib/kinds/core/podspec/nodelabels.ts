import type * as core from '../../../../api/gen/core/v1.ts'
import type * as meta from '../../../../api/gen/meta/v1.ts'

const texts = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
])

/** The warning about a node label; undefined: none. */
export function nodeLabelText(label: string | undefined): string | undefined {
  return texts.get(label ?? '')
}

interface Selecting {
  readonly matchExpressions?: readonly { readonly key: string }[]
}

/** Calls back for each expression with a deprecated node label, with its path below the selector's. */
export function warnOfExpressions(term: Selecting | undefined, warn: (path: string, text: string) => void): void {
  term?.matchExpressions?.forEach(({ key }, index) => {
    const text = nodeLabelText(key)
    if (text !== undefined) warn(`matchExpressions[${index}].key`, `${key} is ${text}`)
  })
}

export function nodeTermsWarnings(path: string, terms: readonly core.NodeSelectorTerm[] = []): string[] {
  const found: string[] = []
  terms.forEach((term, index) =>
    warnOfExpressions(term, (at, text) => void found.push(`${path}[${index}].${at}: ${text}`)),
  )
  return found
}

export function nodeSelectorWarnings(path: string, selector: meta.LabelSelector = {}): string[] {
  const found: string[] = []
  warnOfExpressions(selector, (at, text) => void found.push(`${path}.${at}: ${text}`))
  for (const label in selector.matchLabels) {
    const text = nodeLabelText(label)
    if (text !== undefined) found.push(`${path}.matchLabels.${label}: ${text}`)
  }
  return found
}
