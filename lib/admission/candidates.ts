import { type Loads, onceLoaded } from './loading.ts'
import { type Candidate, isExempt, type MatchIndex } from './matching.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** Webhooks or policies, by the requests that they are about. */
export interface Indexed<Item> {
  readonly index: MatchIndex<Item>
}

/** All webhooks or policies of one plugin. */
export interface Sources<Item> extends Loads {
  /** As clients write them. */
  readonly stored: Indexed<Item>
  /** From files, as they are now; absent: none are. They decide first. */
  readonly fromFiles?: (() => Indexed<Item>) | undefined
}

/**
 * Runs `run` with all that may concern the request; not at all where there is nothing. Writes of webhook configurations and
 * policies are for those from files alone: nothing that clients configured may stand in their way.
 */
export function withCandidates<Item>(
  sources: Sources<Item>,
  attributes: AdmissionAttributes,
  run: (candidates: readonly Candidate<Item>[]) => void | Promise<void>,
): void | Promise<void> {
  const { stored, fromFiles } = sources
  const first = fromFiles?.().index
  if (isExempt(attributes)) return first && runSome(first.candidates(attributes), run)
  return onceLoaded(sources, attributes, () => {
    const candidates = stored.index.candidates(attributes)
    return runSome(first ? joined(first, candidates, attributes) : candidates, run)
  })
}

function runSome<Item>(
  candidates: readonly Candidate<Item>[],
  run: (candidates: readonly Candidate<Item>[]) => void | Promise<void>,
): void | Promise<void> {
  return candidates.length === 0 ? undefined : run(candidates)
}

function joined<Item>(
  first: MatchIndex<Item>,
  stored: readonly Candidate<Item>[],
  attributes: AdmissionAttributes,
): readonly Candidate<Item>[] {
  const after = stored.map((candidate) => ({ ...candidate, index: first.size + candidate.index }))
  return [...first.candidates(attributes), ...after]
}
