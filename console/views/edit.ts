import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Conflict, findConflicts } from '../api/conflicts.ts'
import { type Kind, objectPath, text } from '../api/kinds.ts'
import { type ApiObject, type LiveObject, metadataOf } from '../api/liveobject.ts'
import { readPast } from '../api/pastobject.ts'
import { readSchema } from '../api/schemas.ts'
import { ApiError, readJson } from '../api/session.ts'
import { readIntended, readYaml, replaceYaml } from '../api/yaml.ts'
import { html } from '../parts/html.ts'
import { Review } from '../parts/review.ts'
import { SchemaEditor } from '../parts/schemaeditor.ts'
import { useLack } from '../parts/uselack.ts'
import { changesBetween, type FieldChange, hasLargeIntegers, pathText, withChanges } from '../state/fieldchanges.ts'
import { type LineProblem, problemsIn } from '../state/fieldproblems.ts'
import { type DiffLine, diffLines } from '../state/linediff.ts'
import { route } from '../state/route.ts'
import { resourceVersionOf } from '../state/yamltext.ts'
import { explain, texts } from '../text.ts'
import { ConflictsDialog } from './conflicts.ts'

/** What is about to be stored: the body of the request, and what it changes. */
interface Proposal {
  readonly body: string
  readonly changes: readonly DiffLine[]
  readonly warnings: readonly string[]
}

interface Clash {
  readonly conflicts: readonly Conflict[]
  readonly changes: readonly FieldChange[]
  readonly current: ApiObject
}

/** Fields of the server, which an edit leaves as they are. */
const serverFields = /^\.(?:apiVersion|kind|status|metadata\.(?:resourceVersion|managedFields|generation))\b/

/**
 * The object as YAML. What was changed in the text is brought into the object as it is by now; where others are in the way, the
 * user chooses field by field. It goes to the server as a dry run first; what that would store is shown as a diff, and stored when the
 * user agrees, unless the object has changed once more.
 */
export function EditTab({ kind }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const lackOf = useLack(kind, namespace)
  const original = useSignal<string | undefined>(undefined)
  const typed = useSignal('')
  const proposal = useSignal<Proposal | undefined>(undefined)
  const clash = useSignal<Clash | undefined>(undefined)
  const problem = useSignal('')
  const problems = useSignal<readonly LineProblem[]>([])
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    problem.value = ''
    problems.value = []
    clash.value = proposal.value = undefined
    try {
      await action()
    } catch (error) {
      problem.value = explainEdit(error)
      if (error instanceof ApiError && error.status) problems.value = problemsIn(error.status, typed.value)
    }
  }
  const load = (): Promise<void> =>
    attempt(async () => {
      original.value = typed.value = await readYaml(kind, namespace, name)
    })
  useEffect(() => void load(), [kind.version, namespace, name])
  if (original.value === undefined) return html`<p class="empty">${problem.value || texts.loading}</p>`
  const before = original.value
  const lack = lackOf('update', '', name)

  const propose = async (body: string): Promise<void> => {
    const current = await readYaml(kind, namespace, name)
    const { yaml, warnings } = await replaceYaml(kind, namespace, name, body, true)
    proposal.value = { body, changes: diffLines(current, yaml), warnings }
  }
  const review = (): Promise<void> =>
    attempt(async () => {
      const current = await readJson(objectPath(kind, namespace, name))
      const mine = await readIntended(kind, namespace, name, typed.value, versionOf(current))
      const schema = await readSchema(kind).catch(() => undefined)
      const read = await readBefore(kind, namespace, name, before, current)
      const all = changesBetween(read, mine, schema)
      const changes = all.filter(({ path }) => !serverFields.test(pathText(path)))
      const conflicts = await findConflicts(kind, current, changes)
      if (conflicts.length > 0) clash.value = { conflicts, changes, current }
      else if (read === current) await propose(typed.value)
      else await propose(merged(current, changes))
    })
  const settle = ({ conflicts, changes, current }: Clash, kept: ReadonlySet<Conflict>): Promise<void> =>
    attempt(async () => {
      const dropped = new Set(conflicts.filter((each) => kept.has(each)).map(({ change }) => change))
      const own = changes.filter((change) => !dropped.has(change))
      await propose(merged(current, own))
    })
  const apply = ({ body }: Proposal): Promise<void> =>
    attempt(async () => {
      try {
        const { yaml } = await replaceYaml(kind, namespace, name, body, false)
        original.value = typed.value = yaml
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 409) throw error
        problem.value = texts.conflict
      }
    })
  return html`
    <div class="actions">
      <button disabled=${lack !== undefined || typed.value === before} title=${lack} onClick=${() => void review()}>${texts.save}</button>
      <button class="plain" onClick=${() => void load()}>${texts.reload}</button>
    </div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <${SchemaEditor} kind=${kind} label=${texts.edit} text=${before} problems=${problems.value}
      onChange=${(yaml: string) => (typed.value = yaml)} />
    ${
      clash.value &&
      html`<${ConflictsDialog} conflicts=${clash.value.conflicts} onClose=${() => (clash.value = undefined)}
      onChoose=${(kept: ReadonlySet<Conflict>) => clash.value && void settle(clash.value, kept)} />`
    }
    ${
      proposal.value &&
      html`<${Review} changes=${proposal.value.changes} warnings=${proposal.value.warnings} onClose=${() => (proposal.value = undefined)}
      onApply=${() => proposal.value && void apply(proposal.value)} />`
    }
  `
}

/** The object that the text shows, which may be the current one. */
async function readBefore(
  kind: Kind,
  namespace: string,
  name: string,
  yaml: string,
  current: ApiObject,
): Promise<ApiObject> {
  const shown = resourceVersionOf(yaml)
  if (shown === versionOf(current)) return current
  const past = await readPast(kind, namespace, name, shown).catch(() => undefined)
  if (past === undefined || versionOf(past) !== shown) throw new ApiError(0, 'Forgotten', texts.forgotten)
  return past
}

function versionOf(object: ApiObject): string {
  return text(metadataOf(object)['resourceVersion'])
}

/** The current object with the changes. Throws where the page's numbers can not hold one of it. */
function merged(current: ApiObject, changes: readonly FieldChange[]): string {
  const object = withChanges(current, changes)
  if (hasLargeIntegers(object)) throw new ApiError(0, 'Number', texts.largeNumbers)
  return JSON.stringify(object)
}

function explainEdit(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  return error.reason === 'Forgotten' || error.reason === 'Number' ? error.message : explain(error.code, error.message)
}
