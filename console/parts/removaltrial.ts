import { type Signal, useSignal } from '@preact/signals'
import { remove } from '../api/changes.ts'
import { ApiError } from '../api/session.ts'
import { shortened, visible } from '../state/visible.ts'
import { explain, texts } from '../text.ts'
import { html } from './html.ts'

/** What the server said to a deletion that was only tried. */
interface Verdict {
  /** '' where it would be done. */
  readonly problem: string
  readonly warnings: readonly string[]
}

/** Asks the server what it would say to the deletion of the object: its policies and webhooks, by a dry run. */
export function useRemovalTrial(): { readonly verdict: Signal<Verdict | undefined>; tryRemoval(path: string): void } {
  const verdict = useSignal<Verdict | undefined>(undefined)
  const tryRemoval = (path: string): void => {
    verdict.value = undefined
    remove(path, '', { dryRun: true }).then(
      (warnings) => (verdict.value = { problem: '', warnings }),
      (error: unknown) => {
        const problem = error instanceof ApiError ? explain(error.code, error.message) : String(error)
        verdict.value = { problem, warnings: [] }
      },
    )
  }
  return { verdict, tryRemoval }
}

const messageCharactersMax = 2000

export function RemovalVerdict({ of: { problem, warnings } }: { readonly of: Verdict }) {
  return html`
    <p role="status" class=${problem === '' ? '' : 'problem'}>
      ${problem === '' ? texts.wouldBeDeleted : visible(shortened(problem, messageCharactersMax))}
    </p>
    ${warnings.map((warning, index) => html`<p key=${index} class="problem">${texts.warningsOfWrite} ${visible(shortened(warning, messageCharactersMax))}</p>`)}
  `
}
