import { useEffect, useRef } from 'preact/hooks'
import { html } from './html.ts'

interface EditorProps {
  readonly label: string
  /** What the editor begins with; another text replaces what was typed. */
  readonly text: string
  readonly readOnly?: boolean
  readonly onChange?: (text: string) => void
}

/** A text editor for YAML, loaded when the first one is shown. */
export function Editor({ label, text, readOnly = false, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = host
    if (current === null) return undefined
    let close: (() => void) | undefined
    let isWanted = true
    const open = async (): Promise<void> => {
      const { openYamlEditor } = await import('./yamleditor.ts')
      if (isWanted) close = openYamlEditor(current, { label, text, readOnly, onChange: onChange ?? (() => {}) })
    }
    void open()
    return () => {
      isWanted = false
      close?.()
    }
  }, [text, readOnly])
  return html`<div class="editor" ref=${host} />`
}
