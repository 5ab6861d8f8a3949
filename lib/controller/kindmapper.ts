import type { Clock } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import type { ResourceType } from '../object/index.ts'
import { discover } from './discovery.ts'

/** Finds the resource of a kind that an object refers to, custom ones included. */
export interface KindMapper {
  /** Undefined: the server serves no such kind. */
  resourceOf(group: string, kind: string): Promise<ResourceType | undefined>
}

const freshMs = 30_000

/** Asks discovery, and again for a kind that is missing, but not more often than every 30 s. */
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
