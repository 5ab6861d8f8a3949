import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type NamedCell, readCells } from '../api/cells.ts'
import { type Kind, kinds, records, text } from '../api/kinds.ts'
import { type LiveObject, metadataOf } from '../api/liveobject.ts'
import { type Named, readMetadata } from '../api/metadata.ts'
import { html } from '../parts/html.ts'
import { type OwnedNode, ownedBy } from '../state/ownedtree.ts'
import { linkTo } from '../state/route.ts'
import { toneOf } from '../state/tone.ts'
import { shortened, visible } from '../state/visible.ts'
import { texts } from '../text.ts'

type Item = Named & { readonly owners: readonly string[] }

const refreshMs = 5000
const cellCharactersMax = 100

/** What the object owns, directly and through others, and its state: what goes along when it is deleted. */
export function OwnedTab({ live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const metadata = metadataOf(live.object)
  const uid = text(metadata['uid'])
  const namespace = text(metadata['namespace'])
  const tree = useSignal<readonly OwnedNode<Item>[] | undefined>(undefined)
  const states = useSignal<ReadonlyMap<string, readonly NamedCell[]>>(new Map())
  const partlyRead = useSignal<readonly string[]>([])
  useEffect(() => {
    if (uid === '') return undefined
    const closing = new AbortController()
    const read = async (): Promise<void> => {
      const listed = kinds.value.filter((kind) => kind.verbs.has('list') && (kind.namespaced || namespace === ''))
      const large: string[] = []
      const partly = (kind: Kind): void => void large.push(kind.resource)
      const found = await readMetadata(listed, namespace, { partly, signal: closing.signal })
      const items = found.map((each) => ({
        ...each,
        owners: records(each.metadata['ownerReferences']).map((owner) => text(owner['uid'])),
      }))
      if (closing.signal.aborted) return
      tree.value = ownedBy(uid, items)
      partlyRead.value = large
      const shown = await readCells(kindsOf(tree.value), namespace, closing.signal)
      if (!closing.signal.aborted) states.value = shown
    }
    void read()
    const timer = setInterval(() => void (document.hidden || read()), refreshMs)
    return () => {
      clearInterval(timer)
      closing.abort()
    }
  }, [uid, namespace])
  if (tree.value === undefined) return html`<p class="empty">${texts.loading}</p>`
  return html`
    ${partlyRead.value.length > 0 && html`<p role="status" class="problem">${texts.ownedPartly} ${partlyRead.value.join(', ')}</p>`}
    ${tree.value.length === 0 ? html`<p class="empty">${texts.ownsNothing}</p>` : html`<${Branch} nodes=${tree.value} states=${states.value} />`}
  `
}

function kindsOf(nodes: readonly OwnedNode<Item>[]): Set<Kind> {
  return new Set(nodes.flatMap(({ object, children }) => [object.kind, ...kindsOf(children)]))
}

interface BranchProps {
  readonly nodes: readonly OwnedNode<Item>[]
  readonly states: ReadonlyMap<string, readonly NamedCell[]>
}

function Branch({ nodes, states }: BranchProps) {
  return html`
    <ul class="tree">
      ${nodes.map(({ object: { kind, name, namespace, uid }, children }) => {
        const target = { view: 'object', group: kind.group, resource: kind.resource, namespace, name } as const
        return html`
          <li key=${uid}>
            ${kind.kind} <a href=${linkTo(target)}>${name}</a>
            ${(states.get(uid) ?? []).map((cell) => html`<small key=${cell.column}> ${cell.column} <${StateCell} of=${cell} /></small>`)}
            ${children.length > 0 && html`<${Branch} nodes=${children} states=${states} />`}
          </li>
        `
      })}
    </ul>
  `
}

function StateCell({ of: { column, value } }: { readonly of: NamedCell }) {
  const tone = toneOf(column, value)
  return html`<span class=${tone === undefined ? '' : `tone ${tone}`}>${visible(shortened(String(value), cellCharactersMax))}</span>`
}
