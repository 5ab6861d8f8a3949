import type { PodRefusal } from './schedulingqueue.ts'

interface UnschedulableCount {
  readonly plugin: string
  readonly profile: string
  readonly count: number
}

/** Unschedulable pods by the plugin that refused them, and their profile. */
export function* unschedulableCounts(refusals: Iterable<PodRefusal>): Iterable<UnschedulableCount> {
  const profiles = new Map<string, Map<string, number>>()
  for (const { profile, plugins } of refusals) {
    const counts = profiles.get(profile) ?? new Map<string, number>()
    profiles.set(profile, counts)
    for (const plugin of plugins) counts.set(plugin, (counts.get(plugin) ?? 0) + 1)
  }
  for (const [profile, counts] of profiles) for (const [plugin, count] of counts) yield { plugin, profile, count }
}
