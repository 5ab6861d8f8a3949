import {
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { yaml } from '@codemirror/lang-yaml'
import { syntaxHighlighting } from '@codemirror/language'
import { EditorState, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, lineNumbers, WidgetType } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { basicSetup, minimalSetup } from 'codemirror'
import type { KindSchema } from '../../lib/console/tryout/openapischema.ts'
import { suggestionsAt } from '../state/completions.ts'
import type { LineProblem } from '../state/fieldproblems.ts'
import { type FieldPath, outlineYaml, placeAtEnd } from '../state/yamloutline.ts'

/** A longer text has no colours, no folds, no suggestions and no explanations: finding them would hold the page. */
const styledCharactersMax = 500_000

interface YamlEditorOptions {
  readonly label: string
  readonly text: string
  readonly readOnly: boolean
  /** The one to complete by now; undefined until it is read. */
  schema(): KindSchema | undefined
  onChange(text: string): void
  onField(path: FieldPath): void
}

export interface YamlEditor {
  /** Shows the problems in place of earlier ones. */
  show(problems: readonly LineProblem[]): void
  close(): void
}

/**
 * Puts an editor into the host. It lives in a shadow root, where its styles are style sheet objects: style elements are forbidden
 * by the page's policy.
 */
export function openYamlEditor(host: HTMLElement, options: YamlEditorOptions): YamlEditor {
  const { label, text, readOnly, schema, onChange, onField } = options
  // One function: the editor takes another one for another source, whose answers it waits for again.
  const source = (context: CompletionContext): CompletionResult | null => complete(context, schema())
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
        problemField,
        EditorState.languageData.of(() => [{ autocomplete: source }]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
          if (update.docChanged || update.selectionSet) onField(fieldAtCursor(update.state))
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
          '.problem': { padding: '0 6px', color: 'var(--bad)', whiteSpace: 'pre-wrap', fontFamily: 'system-ui' },
          '.cm-tooltip': { backgroundColor: 'var(--page)', borderColor: 'var(--line)', color: 'var(--text)' },
          '.cm-completionInfo': { maxWidth: '320px' },
        }),
      ],
    }),
  })
  return {
    show: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    close: () => view.destroy(),
  }
}

/** Of the line, or of the object that a field is being named of. */
function fieldAtCursor({ doc, selection }: EditorState): FieldPath {
  if (doc.length > styledCharactersMax) return []
  const before = doc.sliceString(0, doc.lineAt(selection.main.head).to)
  return outlineYaml(before).at(-1) ?? placeAtEnd(before)?.path ?? []
}

function complete(
  { state, pos, explicit }: CompletionContext,
  schema: KindSchema | undefined,
): CompletionResult | null {
  if (!schema || state.doc.length > styledCharactersMax) return null
  const found = suggestionsAt(state.doc.toString(), pos, schema)
  if (!found || (found.replaces === 0 && !explicit)) return null
  return {
    from: pos - found.replaces,
    options: found.list.map(({ label, detail, info, insert, isRequired }) => ({
      label,
      detail,
      info,
      boost: isRequired ? 1 : 0,
      apply(view, completion, from, to) {
        view.dispatch({
          changes: { from, to, insert },
          selection: { anchor: from + insert.length },
          annotations: pickedCompletion.of(completion),
        })
        // The fields, items or values that follow.
        if (/[\s]$/.test(insert)) startCompletion(view)
      },
    })),
  }
}

const setProblems = StateEffect.define<readonly LineProblem[]>()

/** Messages below the lines that they are about, until they are replaced; they move with the text. */
const problemField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes)
    for (const effect of transaction.effects)
      if (effect.is(setProblems)) next = decorate(effect.value, transaction.state.doc)
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function decorate(problems: readonly LineProblem[], doc: Text): DecorationSet {
  const placed = problems.filter(({ line }) => line >= 0 && line < doc.lines)
  return Decoration.set(
    placed.map(({ line, message }) =>
      Decoration.widget({ widget: new Message(message), block: true, side: 1 }).range(doc.line(line + 1).to),
    ),
    true,
  )
}

class Message extends WidgetType {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div')
    element.className = 'problem'
    element.textContent = this.#text
    return element
  }
}
