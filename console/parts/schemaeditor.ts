import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { KindSchema } from '../../lib/console/tryout/openapischema.ts'
import type { Kind } from '../api/kinds.ts'
import { readSchema } from '../api/schemas.ts'
import type { LineProblem } from '../state/fieldproblems.ts'
import type { FieldPath } from '../state/yamloutline.ts'
import { Editor } from './editor.ts'
import { Explain } from './explain.ts'
import { html } from './html.ts'

interface SchemaEditorProps {
  readonly kind: Kind
  readonly label: string
  readonly text: string
  readonly problems: readonly LineProblem[]
  readonly onChange: (text: string) => void
}

/** An editor for an object of the kind: fields are completed and explained once the kind's schema is read. */
export function SchemaEditor({ kind, label, text, problems, onChange }: SchemaEditorProps) {
  const schema = useSignal<KindSchema | undefined>(undefined)
  const path = useSignal<FieldPath>([])
  useEffect(
    () =>
      void readSchema(kind).then(
        (read) => (schema.value = read),
        () => {},
      ),
    [kind.group, kind.version, kind.kind],
  )
  return html`
    <div class="beside">
      <${Editor} label=${label} text=${text} schema=${schema.value} problems=${problems} onChange=${onChange}
        onField=${(field: FieldPath) => (path.value = field)} />
      <${Explain} schema=${schema.value} path=${path.value} />
    </div>
  `
}
