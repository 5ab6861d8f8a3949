import { yaml } from '@codemirror/lang-yaml'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'

interface YamlEditorOptions {
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  onChange(text: string): void
}

/**
 * Puts an editor into the host and returns what removes it. It lives in a shadow root, where its styles are style sheet
 * objects: style elements are forbidden by the page's policy.
 */
export function openYamlEditor(host: HTMLElement, { label, text, readOnly, onChange }: YamlEditorOptions): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        yaml(),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
        EditorView.theme({
          '&': { height: '60vh', fontSize: '13px', backgroundColor: 'var(--field)', color: 'var(--text)' },
          '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--faint)' },
          '.cm-content': { caretColor: 'var(--text)' },
        }),
      ],
    }),
  })
  return () => view.destroy()
}
