import type { Entry } from '../cache/index.ts'
import { asDefinition } from './definition/definition.ts'
import { summaryOf } from './definitionsummary.ts'
import { MountedDefinition } from './mount.ts'
import { type MountServices, mountDependencies } from './mountdependencies.ts'

/** Custom resources of definitions that the caller passes one by one, rather than of a store. */
export interface GivenDefinitions {
  /** Serves a stored definition's resource, instead of that of an earlier state. */
  define(entry: Entry): Promise<void>
}

export function createGivenDefinitions(services: MountServices): GivenDefinitions {
  const dependencies = mountDependencies(services)
  const mounted = new Map<string, MountedDefinition>()
  return {
    async define(entry) {
      const summary = summaryOf(asDefinition(entry.object()), entry)
      const known = mounted.get(summary.name)
      if (known?.continues(summary)) return known.update(summary)
      known?.unmount()
      const definition = new MountedDefinition(summary, dependencies)
      mounted.set(summary.name, definition)
      await definition.mount()
    },
  }
}
