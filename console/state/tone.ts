/** How a word about a state is to be read; undefined for words that are no verdict. */
export type Tone = 'good' | 'waits' | 'bad'

const columns = /^(?:status|phase|state|ready|available|condition|established|synced|health)$/i
const bad =
  /(?:error|fail|backoff|evicted|oomkilled|lost|notready|invalid|unhealthy|degraded|deadlineexceeded|terminatedwith|unavailable)/i
const waits =
  /^(?:pending|.*creating|podinitializing|init:.*|terminating|released|progressing|unknown|suspended|containerstatusunknown|schedulinggated|waiting|.*schedulingdisabled|notinstalled)$/i
const good =
  /^(?:running|ready|active|bound|available|complete|completed|succeeded|established|healthy|approved|approved,issued|true)$/i

/** The tone of a cell, by its column's name and its text: any kind's, so these are words that many kinds use. */
export function toneOf(column: string, cell: unknown): Tone | undefined {
  if (!columns.test(column)) return undefined
  const text = String(cell ?? '')
  const [, have, want] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (have !== undefined) return Number(have) >= Number(want) ? undefined : 'waits'
  if (/^false$/i.test(text) || bad.test(text)) return 'bad'
  if (waits.test(text)) return 'waits'
  return good.test(text) ? 'good' : undefined
}
