import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Kind } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { html } from '../parts/html.ts'
import { explain } from '../text.ts'

interface FilesProps {
  readonly kind: Kind
  readonly live: LiveObject
}

/** Files of a pod's containers, loaded when the tab is opened. */
export function FilesTab(props: FilesProps) {
  const loaded = useSignal<FunctionComponent<FilesProps> | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { Files } = await import('./files.ts')
      loaded.value = Files
    }
    load().catch((error: unknown) => (problem.value = explain(0, String(error))))
  }, [])
  if (problem.value !== '') return html`<p role="alert" class="problem">${problem.value}</p>`
  return loaded.value && html`<${loaded.value} ...${props} />`
}
