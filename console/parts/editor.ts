import { useEffect, useRef } from 'preact/hooks'
import type { KindSchema } from '../../lib/console/tryout/openapischema.ts'
import type { LineProblem } from '../state/fieldproblems.ts'
import type { FieldPath } from '../state/yamloutline.ts'
import { html } from './html.ts'
import type { YamlEditor } from './yamleditor.ts'

interface EditorProps {
  readonly label: string
  /** What the editor begins with; another text replaces what was typed. */
  readonly text: string
  readonly readOnly?: boolean
  /** Completes fields and values. */
  readonly schema?: KindSchema | undefined
  /** Shown at their lines until these change. */
  readonly problems?: readonly LineProblem[]
  readonly onChange?: (text: string) => void
  /** Called with the path of the field at the cursor. */
  readonly onField?: (path: FieldPath) => void
}

const noProblems: readonly LineProblem[] = []
const ignore = (): void => {}

/** A text editor for YAML, loaded when the first one is shown. */
export function Editor(props: EditorProps) {
  const { label, text, readOnly = false, schema, problems = noProblems } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<YamlEditor | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const { current } = host
    if (current === null) return undefined
    let isWanted = true
    const open = async (): Promise<void> => {
      const { openYamlEditor } = await import('./yamleditor.ts')
      if (!isWanted) return
      editor.current = openYamlEditor(current, {
        label,
        text,
        readOnly,
        schema: () => latest.current.schema,
        onChange: (typed) => (latest.current.onChange ?? ignore)(typed),
        onField: (path) => (latest.current.onField ?? ignore)(path),
      })
      editor.current.show(latest.current.problems ?? noProblems)
    }
    void open()
    return () => {
      isWanted = false
      editor.current?.close()
      editor.current = undefined
    }
  }, [text, readOnly])
  useEffect(() => editor.current?.show(problems), [problems, schema])
  return html`<div class="editor" ref=${host} />`
}
