import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { explain } from '../text.ts'
import { html } from './html.ts'

/** A view whose code comes when it is first shown; where it does not come, the reason. */
export function loadedView<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let known: { readonly View: FunctionComponent<Props> } | undefined
  return (props) => {
    const loaded = useSignal(known)
    const problem = useSignal('')
    useEffect(() => {
      if (known) return
      load().then(
        (View) => (loaded.value = known = { View }),
        (error: unknown) => (problem.value = explain(0, String(error))),
      )
    }, [])
    if (problem.value !== '') return html`<p role="alert" class="problem">${problem.value}</p>` as never
    return (loaded.value && html`<${loaded.value.View} ...${props} />`) as never
  }
}
