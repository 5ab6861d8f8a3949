import { quote, type StatusCause, StatusError } from '../../object/index.ts'
import { canonical } from '../fieldset/canonical.ts'
import { compareTexts, formatPath } from '../fieldset/element.ts'
import { type FieldSet, paths } from '../fieldset/fieldset.ts'
import { type FieldOwner, identityText } from './owner.ts'

/** Fields of another owner that an apply would change. */
export interface Conflict {
  readonly owner: FieldOwner
  readonly fields: FieldSet
}

/** Maximum number of fields in the error; more are only counted. */
const conflictsToldMax = 1000

/** 409 with a cause for each field of each owner. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => compareTexts(identityText(a.owner), identityText(b.owner)))
  const causes: StatusCause[] = []
  const lines: string[] = []
  let count = 0
  for (const { owner, fields } of sorted) {
    const shown = describe(owner)
    lines.push(`conflicts with ${shown}:`)
    for (const path of paths(canonical(fields))) {
      if (++count > conflictsToldMax) continue
      const field = formatPath(path)
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${shown}`, field })
      lines.push(`- ${field}`)
    }
  }
  const [only] = causes
  const message =
    only && count === 1
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${count} conflicts: ${lines.join('\n')}`
  return new StatusError(409, 'Conflict', message, { details: { causes } })
}

function describe({ manager, operation, apiVersion, subresource }: FieldOwner): string {
  const name = `${quote(manager)}${subresource === '' ? '' : ` with subresource ${quote(subresource)}`}`
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
