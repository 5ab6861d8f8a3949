// The messages between the processes of one server: from the parent to its children, and from them to it. They run the
// same program, so the messages need no versions.
import type { Exposition, ExpositionFormat, FamilySnapshot } from '../../../lib/observe/index.ts'
import type { HealthPage } from '../../../lib/server/index.ts'

/** The environment variable that marks a child. */
export const markName = 'PILOTHOUSE_PROCESS'

/** One child among those of a server. */
export interface Place {
  /** From 0 to `count` - 1; a child that replaces another has the same. */
  readonly index: number
  readonly count: number
  /** Identifies this run of the server. */
  readonly runId: string
  /** Undefined in the first child to start, which finds out. */
  readonly port: number | undefined
}

/** A child asks it, and all answer. */
export type Question =
  | { readonly about: 'health'; readonly page: HealthPage }
  | { readonly about: 'metrics'; readonly format: ExpositionFormat; readonly names: readonly string[] | undefined }
  | { readonly about: 'reset'; readonly names: readonly string[] | undefined }
  | { readonly about: 'verbosity'; readonly level: number }

/** The answer of all to a question of one. */
export type Reply =
  | { readonly exposition: Exposition }
  /** The checks that fail; '': none. */
  | { readonly problem: string }

export type FromParent =
  /** The first message. */
  | { readonly kind: 'begin'; readonly place: Place }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }
  /** Readiness is to fail, and the delay of the shutdown to begin. */
  | { readonly kind: 'stop' }
  /** It is this child's turn to refuse requests and end. */
  | { readonly kind: 'drain' }

export type FromChild =
  | { readonly kind: 'listening'; readonly port: number }
  /** The hooks after the start are done. */
  | { readonly kind: 'ready' }
  /** It got a signal to stop. The parent, to which it may have been sent as well, decides. */
  | { readonly kind: 'signal' }
  /** The delay of the shutdown has passed: it waits for its turn to drain. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  /** A part of the answer to a question about metrics. */
  | { readonly kind: 'metrics'; readonly id: number; readonly families: readonly FamilySnapshot[] }
  /** The end of an answer. `failing`: the checks that fail, where the question was about health. */
  | { readonly kind: 'answered'; readonly id: number; readonly failing: readonly string[] }
