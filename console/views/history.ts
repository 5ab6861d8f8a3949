import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type PastState, readHistory } from '../api/history.ts'
import type { Kind } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { ApiError } from '../api/session.ts'
import { replaceYaml } from '../api/yaml.ts'
import { Age } from '../parts/age.ts'
import { Diff } from '../parts/diff.ts'
import { html } from '../parts/html.ts'
import { Review } from '../parts/review.ts'
import { useLack } from '../parts/uselack.ts'
import { type DiffLine, diffLines } from '../state/linediff.ts'
import { pauseForPage } from '../state/pauseforpage.ts'
import { route } from '../state/route.ts'
import { withResourceVersion } from '../state/yamltext.ts'
import { explain, texts } from '../text.ts'

/** A state, and its changes to the one before, once that is read. They are computed once each. */
interface ShownState extends PastState {
  readonly changes: readonly DiffLine[] | undefined
}

interface Restoring {
  readonly yaml: string
  readonly changes: readonly DiffLine[]
  readonly warnings: readonly string[]
}

/** Earlier states as far as the store holds them, each with what it changed; one can be restored. */
export function HistoryTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const lack = useLack(kind, namespace)('update', '', name)
  const states = useSignal<readonly ShownState[]>([])
  const problem = useSignal('')
  const restoring = useSignal<Restoring | undefined>(undefined)
  const fail = (error: unknown): void =>
    void (problem.value = error instanceof ApiError ? explain(error.code, error.message) : String(error))
  useEffect(() => {
    const closing = new AbortController()
    const read = async (): Promise<void> => {
      const found: ShownState[] = []
      for await (const state of readHistory(kind, namespace, name, closing.signal)) {
        await pauseForPage()
        const later = found.pop()
        if (later) found.push({ ...later, changes: diffLines(state.yaml, later.yaml, 1) })
        found.push({ ...state, changes: undefined })
        states.value = [...found]
      }
    }
    read().catch((error: unknown) => closing.signal.aborted || fail(error))
    return () => closing.abort()
  }, [kind.version, namespace, name, live.object])
  const [newest] = states.value
  const restore = async (state: PastState): Promise<void> => {
    problem.value = ''
    try {
      // Replaces the newest state that is shown, and no later one.
      const yaml = withResourceVersion(state.yaml, newest?.resourceVersion ?? '')
      const stored = await replaceYaml(kind, namespace, name, yaml, true)
      restoring.value = { yaml, changes: diffLines(newest?.yaml ?? '', stored.yaml), warnings: stored.warnings }
    } catch (error) {
      fail(error)
    }
  }
  const apply = (): void => {
    const { yaml = '' } = restoring.value ?? {}
    restoring.value = undefined
    replaceYaml(kind, namespace, name, yaml, false).catch(fail)
  }
  return html`
    <p class="hint">${texts.historyHint}</p>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${states.value.map(
      (state, index) => html`
        <section key=${state.resourceVersion} class="state">
          <h2>
            ${state.resourceVersion} <small>${state.by} <${Age} ofMs=${Date.parse(state.at)} /></small>
            ${index > 0 && html`<button class="plain" disabled=${lack !== undefined} title=${lack} onClick=${() => void restore(state)}>${texts.restore}</button>`}
          </h2>
          ${state.changes && html`<${Diff} changes=${state.changes} />`}
        </section>
      `,
    )}
    ${restoring.value && html`<${Review} changes=${restoring.value.changes} warnings=${restoring.value.warnings} onApply=${apply} onClose=${() => (restoring.value = undefined)} />`}
  `
}
