import { type Loads, onceLoaded } from './loading.ts'
import { type Candidate, isExempt, type MatchIndex } from './matching.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** Webhooks or policies, indexed by the requests that they match. */
export interface Indexed<Item> {
  readonly index: MatchIndex<Item>
}

/** All webhooks or policies of one plugin. */
export interface Sources<Item> extends Loads {
  /** Written by clients through the API. */
  readonly stored: Indexed<Item>
  /** Loaded from files, as they are at present; absent: none. They decide first. */
  readonly fromFiles?: (() => Indexed<Item>) | undefined
}

/**
 * Runs `run` with all webhooks or policies that may match the request; not at all where there is none. Writes of
 * webhook configurations and policies are only subject to those from files: no configuration of a client may block
 * them.
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
