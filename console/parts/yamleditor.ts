import { yaml } from '@codemirror/lang-yaml'
import { syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { basicSetup, minimalSetup } from 'codemirror'

/** A longer text has no colours and no folds: finding them would hold the page. */
const styledCharactersMax = 500_000

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
        ...(text.length > styledCharactersMax ? [minimalSetup, lineNumbers()] : [basicSetup, yaml()]),
        // Classes, as the colours depend on whether the page is light or dark.
        syntaxHighlighting(classHighlighter),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
        EditorView.theme({
          '&': { height: '60vh', fontSize: '13px', backgroundColor: 'var(--field)', color: 'var(--text)' },
          '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--faint)' },
          '.cm-content': { caretColor: 'var(--text)' },
          '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--panel)' },
          '.cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
          '.tok-propertyName, .tok-keyword': { color: 'var(--accent)' },
          '.tok-string, .tok-string2': { color: 'var(--good)' },
          '.tok-comment, .tok-meta': { color: 'var(--faint)' },
        }),
      ],
    }),
  })
  return () => view.destroy()
}
