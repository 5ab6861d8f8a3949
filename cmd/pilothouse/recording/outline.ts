import { isRecord } from '../../../lib/base/index.ts'
import type { Outline } from './format.ts'

/** The names in an object, a list or a Status; undefined where there are none. */
export function outlineOf(value: unknown): Outline | undefined {
  if (!isRecord(value)) return undefined
  const { kind, reason, items, metadata } = value
  const texts = isRecord(metadata) ? metadata : {}
  const outline = {
    ...textOf('kind', kind),
    ...(kind === 'Status' ? textOf('reason', reason) : {}),
    ...textOf('name', texts['name']),
    ...textOf('namespace', texts['namespace']),
    ...textOf('uid', texts['uid']),
    ...textOf('resourceVersion', texts['resourceVersion']),
    ...textOf('continue', texts['continue']),
    ...(Array.isArray(items) ? { items: items.length } : {}),
  }
  return Object.keys(outline).length === 0 ? undefined : outline
}

function textOf(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
