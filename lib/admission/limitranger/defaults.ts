import type * as core from '../../../api/gen/core/v1.ts'
import { appendAll } from '../../base/index.ts'

const annotation = 'kubernetes.io/limit-ranger'

/** Sets the requests and limits that the pod's containers leave out, and lists them in an annotation of the pod. */
export function fillResources({ metadata, spec }: core.Pod, range: core.LimitRange): void {
  const defaults = defaultsOf(range)
  const notes: string[] = []
  for (const container of spec.containers ?? []) appendAll(notes, fill(container, 'container', defaults))
  for (const container of spec.initContainers ?? []) appendAll(notes, fill(container, 'init container', defaults))
  if (notes.length > 0)
    metadata.annotations = { ...metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` }
}

interface Defaults {
  readonly requests: Readonly<Record<string, string>>
  readonly limits: Readonly<Record<string, string>>
}

function defaultsOf({ spec }: core.LimitRange): Defaults {
  const items = (spec?.limits ?? []).filter(({ type }) => type === 'Container')
  return {
    requests: merged(items.map((item) => item.defaultRequest)),
    limits: merged(items.map((item) => item.default)),
  }
}

function merged(lists: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const list of lists) Object.assign(all, list)
  return all
}

/** Describes the missing values that it sets: `cpu, memory request for container c`. */
function fill(container: core.Container, noun: string, defaults: Defaults): string[] {
  const notes: string[] = []
  const resources = { ...container.resources }
  for (const [list, word] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const missing = Object.keys(defaults[list]).filter((name) => resources[list]?.[name] === undefined)
    if (missing.length === 0) continue
    const added = Object.fromEntries(missing.map((name) => [name, defaults[list][name] ?? '']))
    resources[list] = { ...resources[list], ...added }
    notes.push(`${missing.sort().join(', ')} ${word} for ${noun} ${container.name}`)
  }
  if (notes.length > 0) container.resources = resources
  return notes
}
