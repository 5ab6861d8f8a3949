import type { Clock } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import type { ResourceType } from '../object/index.ts'
import { discover } from './discovery.ts'

/** Finds the resource of a kind, built-in or custom. */
export interface KindMapper {
  /** Undefined: the server serves no such kind. */
  resourceOf(group: string, kind: string): Promise<ResourceType | undefined>
}

const freshMs = 30_000

/** Reads discovery at most once in 30 s. */
export function createKindMapper(client: Client, clock: Clock): KindMapper {
  let asked: Promise<ReadonlyMap<string, ResourceType>> | undefined
  let askedMs = Number.NEGATIVE_INFINITY

  async function ask(): Promise<ReadonlyMap<string, ResourceType>> {
    const { resources } = await discover(client)
    return new Map(resources.map((resource) => [`${resource.group}/${resource.kind}`, resource]))
  }

  return {
    async resourceOf(group, kind) {
      if (asked === undefined || clock.monotonicMs() - askedMs > freshMs) {
        askedMs = clock.monotonicMs()
        asked = ask()
        asked.catch(() => (asked = undefined))
      }
      return (await asked).get(`${group}/${kind}`)
    },
  }
}
