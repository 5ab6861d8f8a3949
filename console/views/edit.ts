import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { ApiError } from '../api/session.ts'
import { readYaml, replaceYaml } from '../api/yaml.ts'
import { Editor } from '../parts/editor.ts'
import { html } from '../parts/html.ts'
import { Review } from '../parts/review.ts'
import { type DiffLine, diffLines } from '../state/linediff.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'

/**
 * The object as YAML. What was typed goes to the server as a dry run first; what it would store is shown as a diff, and
 * stored when the user agrees. The text holds the resourceVersion, so that no other change is overwritten.
 */
export function EditTab({ kind }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const original = useSignal<string | undefined>(undefined)
  const typed = useSignal('')
  const changes = useSignal<readonly DiffLine[] | undefined>(undefined)
  const problem = useSignal('')
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    problem.value = ''
    try {
      await action()
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 409
      problem.value = isConflict
        ? texts.conflict
        : error instanceof ApiError
          ? explain(error.code, error.message)
          : String(error)
    }
  }
  const load = (): Promise<void> =>
    attempt(async () => {
      changes.value = undefined
      original.value = typed.value = await readYaml(kind, namespace, name)
    })
  useEffect(() => void load(), [kind.version, namespace, name])
  if (original.value === undefined) return html`<p class="empty">${problem.value || texts.loading}</p>`
  const before = original.value
  const review = (): Promise<void> =>
    attempt(async () => {
      changes.value = diffLines(before, await replaceYaml(kind, namespace, name, typed.value, true))
    })
  const apply = (): Promise<void> =>
    attempt(async () => {
      changes.value = undefined
      original.value = typed.value = await replaceYaml(kind, namespace, name, typed.value, false)
    })
  return html`
    <div class="actions">
      <button disabled=${typed.value === before} onClick=${() => void review()}>${texts.save}</button>
      <button class="plain" onClick=${() => void load()}>${texts.reload}</button>
    </div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${Editor} label=${texts.edit} text=${before} onChange=${(text: string) => (typed.value = text)} />
    ${changes.value && html`<${Review} changes=${changes.value} onApply=${() => void apply()} onClose=${() => (changes.value = undefined)} />`}
  `
}
