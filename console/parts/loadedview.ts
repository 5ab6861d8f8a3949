import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { explain } from '../text.ts'
import { html } from './html.ts'

/** A view whose code comes when it is first shown; where it does not come, the reason. */
export function loadedView<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  return (props) => {
    const loaded = useSignal<{ readonly View: FunctionComponent<Props> } | undefined>(undefined)
    const problem = useSignal('')
    useEffect(() => {
      load().then(
        (View) => (loaded.value = { View }),
        (error: unknown) => (problem.value = explain(0, String(error))),
      )
    }, [])
    if (problem.value !== '') return html`<p role="alert" class="problem">${problem.value}</p>` as never
    return (loaded.value && html`<${loaded.value.View} ...${props} />`) as never
  }
}
