import type { KindSchema } from '../../lib/console/tryout/openapischema.ts'
import { schemaAt, typeName } from '../state/schema.ts'
import type { FieldPath } from '../state/yamloutline.ts'
import { texts } from '../text.ts'
import { html } from './html.ts'

interface ExplainProps {
  readonly schema: KindSchema | undefined
  readonly path: FieldPath
}

/** What the field at the cursor means, as `kubectl explain` shows it. */
export function Explain({ schema: kind, path }: ExplainProps) {
  const schema = kind && schemaAt(kind, path)
  if (!kind || !schema)
    return html`<aside class="explain" aria-label=${texts.explanation}><p class="hint">${texts.explainHint}</p></aside>`
  const { description, default: preset, enum: values, required = [] } = schema
  return html`
    <aside class="explain" aria-label=${texts.explanation}>
      <h2>${path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.')} <small>${typeName(schema, kind)}</small></h2>
      <p>${description}</p>
      ${values && html`<p><small>${texts.allowedValues}</small> ${values.map(String).join(', ')}</p>`}
      ${preset !== undefined && html`<p><small>${texts.defaultValue}</small> <code>${JSON.stringify(preset)}</code></p>`}
      ${required.length > 0 && html`<p><small>${texts.requiredFields}</small> ${required.join(', ')}</p>`}
    </aside>
  `
}
