import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findKind, type Kind } from '../api/kinds.ts'
import { type ApiObject, followObject, type LiveObject } from '../api/liveobject.ts'
import { html } from '../parts/html.ts'
import { Tabs } from '../parts/tabs.ts'
import { adjust, linkTo, route } from '../state/route.ts'
import { selectsPods } from '../state/selectortext.ts'
import { visible } from '../state/visible.ts'
import { explain, texts } from '../text.ts'
import { AccessTab } from './access.ts'
import { Actions } from './actions.ts'
import { BlameTab } from './blame.ts'
import { EditTab } from './edit.ts'
import { EventsTab } from './events.ts'
import { FilesTab } from './filestab.ts'
import { HistoryTab } from './history.ts'
import { LogsTab } from './logs.ts'
import { NodePodsTab } from './nodepods.ts'
import { OwnedTab } from './owned.ts'
import { SummaryTab } from './summary.ts'
import { TerminalTab } from './terminal.ts'

const waiting: LiveObject = { object: undefined, problem: undefined, isGone: false }
const noObject = signal(waiting)

interface TabProps {
  readonly kind: Kind
  readonly live: LiveObject
}

interface Tab {
  readonly id: string
  readonly title: string
  readonly View: (props: TabProps) => unknown
  /** Default: every object has the tab. */
  isFor?(kind: Kind, object: ApiObject | undefined): boolean
}

const tabs: readonly Tab[] = [
  { id: '', title: texts.summary, View: SummaryTab },
  { id: 'edit', title: texts.edit, View: EditTab },
  { id: 'events', title: texts.events, View: EventsTab },
  {
    id: 'logs',
    title: texts.logs,
    View: LogsTab,
    isFor: (kind, object) => kind.subresources.has('log') || selectsPods(object),
  },
  { id: 'terminal', title: texts.terminal, View: TerminalTab, isFor: (kind) => kind.subresources.has('exec') },
  { id: 'files', title: texts.files, View: FilesTab, isFor: (kind) => kind.subresources.has('exec') },
  { id: 'pods', title: texts.pods, View: NodePodsTab, isFor: (kind) => kind.group === '' && kind.resource === 'nodes' },
  { id: 'owned', title: texts.owned, View: OwnedTab },
  { id: 'history', title: texts.history, View: HistoryTab },
  { id: 'access', title: texts.access, View: AccessTab },
  { id: 'blame', title: texts.blame, View: BlameTab },
]

/** One object, live, in tabs. */
export function ObjectView() {
  const { group, resource, namespace, name, tab } = route.value
  const kind = findKind(group, resource)
  const followed = useSignal(noObject)
  useEffect(() => {
    if (!kind) return undefined
    const closing = new AbortController()
    followed.value = followObject(kind, namespace, name, closing.signal)
    return () => closing.abort()
  }, [kind?.version, namespace, name])
  if (!kind) return html`<p class="empty">${texts.nothingHere}</p>`
  const live = followed.value.value
  const offered = tabs.filter(({ isFor }) => isFor?.(kind, live.object) ?? true)
  const shown = offered.find(({ id }) => id === tab) ?? tabs[0]
  return html`
    <div class="heading">
      <h1>
        <small class="crumbs"><a href=${linkTo({ group, resource, namespace })}>${kind.kind}</a>${namespace === '' ? '' : ` / ${namespace}`} </small>${visible(name)}
      </h1>
      <span class="space" />
      <${Actions} kind=${kind} live=${live} />
    </div>
    ${live.isGone && html`<p role="status" class="problem">${texts.gone}</p>`}
    ${live.problem && html`<p role="alert" class="problem">${explain(live.problem.code, live.problem.message)}</p>`}
    <${Tabs} label=${texts.views} tabs=${offered} chosen=${shown?.id ?? ''} onChoose=${(id: string) => adjust({ tab: id })}>
      ${shown && html`<${shown.View} key=${shown.id} kind=${kind} live=${live} />`}
    <//>
  `
}
