import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { addDebugContainer, debugContainerStart } from '../api/debugcontainer.ts'
import { type Kind, objectPath } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { ApiError } from '../api/session.ts'
import { ContainerChoice } from '../parts/containerchoice.ts'
import { html } from '../parts/html.ts'
import { lackOfStreams, useLack } from '../parts/uselack.ts'
import { route } from '../state/route.ts'
import { explain, texts } from '../text.ts'
import { containerNames } from './containers.ts'

interface Session {
  readonly id: number
  readonly title: string
  /** Where its streams are, once its container runs. Throws ApiError. */
  open(closing: AbortSignal): Promise<string>
}

/** Terminals that are open at once in a pod's page. */
const sessionsMax = 8
const debugImage = 'busybox:1.37'

/** Shells in containers of the pod, and debug containers beside them, each in a terminal of its own. */
export function TerminalTab({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const names = containerNames(live.object)
  const container = useSignal('')
  const command = useSignal('sh')
  const image = useSignal(debugImage)
  const sessions = useSignal<readonly Session[]>([])
  const shown = useSignal(0)
  const problem = useSignal('')
  const chosen = container.value || names[0] || ''
  const path = objectPath(kind, namespace, name)
  const begin = (title: string, open: Session['open']): void => {
    const id = (sessions.value.at(-1)?.id ?? 0) + 1
    sessions.value = [...sessions.value, { id, title, open }]
    shown.value = id
  }
  const end = (id: number): void => {
    sessions.value = sessions.value.filter((session) => session.id !== id)
    if (shown.value === id) shown.value = sessions.value.at(-1)?.id ?? 0
  }
  const openShell = (event: Event): void => {
    event.preventDefault()
    const address = `${path}/exec?${streamsOf(chosen, command.value.split(/\s+/).filter(Boolean))}`
    begin(`${chosen}: ${command.value}`, async () => address)
  }
  const openDebug = (event: Event): void => {
    event.preventDefault()
    problem.value = ''
    addDebugContainer(kind, namespace, name, { image: image.value, target: chosen }).then(
      (added) =>
        begin(added, async (closing) => {
          const failure = await debugContainerStart(kind, namespace, name, added, closing)
          if (failure !== '') throw new Error(failure)
          return `${path}/attach?${streamsOf(added, [])}`
        }),
      (error: unknown) => (problem.value = messageOf(error)),
    )
  }
  const isFull = sessions.value.length >= sessionsMax
  const lackOf = useLack(kind, namespace)
  const asOther = lackOfStreams()
  const lackOfShell = asOther ?? lackOf('get', 'exec', name) ?? lackOf('create', 'exec', name)
  const lackOfDebug = asOther ?? lackOf('patch', 'ephemeralcontainers', name) ?? lackOf('get', 'attach', name)
  // A key that is meant for a terminal must not leave the page, and so end it.
  return html`
    <div class="terminals" data-keys>
    <div class="filters">
      <${ContainerChoice} names=${names} chosen=${chosen} container=${container} />
      <form onSubmit=${openShell}>
        <${Field} label=${texts.shell} value=${command} />
        <button type="submit" disabled=${isFull || lackOfShell !== undefined} title=${lackOfShell}>${texts.shellOpen}</button>
      </form>
      <form onSubmit=${openDebug}>
        <${Field} label=${texts.debugImage} value=${image} />
        <button type="submit" disabled=${isFull || lackOfDebug !== undefined} title=${lackOfDebug}>${texts.debug}</button>
      </form>
    </div>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    ${
      sessions.value.length > 1 &&
      html`
        <div class="actions" role="group" aria-label=${texts.terminals}>
          ${sessions.value.map(
            ({ id, title }) => html`
              <button key=${id} class="plain" aria-pressed=${id === shown.value} onClick=${() => (shown.value = id)}>${id} ${title}</button>
            `,
          )}
        </div>
      `
    }
    ${sessions.value.map((session) => html`<${TerminalPane} key=${session.id} session=${session} isShown=${session.id === shown.value} onEnd=${() => end(session.id)} />`)}
    </div>
  `
}

function Field({ label, value }: { readonly label: string; readonly value: { value: string } }) {
  return html`
    <input aria-label=${label} value=${value.value} required spellcheck=${false} onInput=${(event: Event) => {
      if (event.currentTarget instanceof HTMLInputElement) value.value = event.currentTarget.value
    }} />
  `
}

interface TerminalPaneProps {
  readonly session: Session
  readonly isShown: boolean
  readonly onEnd: () => void
}

/** One terminal; it goes on while another one is shown. */
function TerminalPane({ session, isShown, onEnd }: TerminalPaneProps) {
  const host = useRef<HTMLDivElement>(null)
  const state = useSignal('')
  useEffect(() => {
    const closing = new AbortController()
    const open = async (): Promise<void> => {
      state.value = texts.debugWaits
      const [{ openTerminal }, path] = await Promise.all([import('../parts/terminal.ts'), session.open(closing.signal)])
      if (closing.signal.aborted || host.current === null) return
      await openTerminal(host.current, path, closing.signal, (text) => (state.value = text))
    }
    open().catch((error: unknown) => closing.signal.aborted || (state.value = messageOf(error)))
    return () => closing.abort()
  }, [session])
  return html`
    <div class="pane" hidden=${!isShown}>
      <p class="actions"><span role="status" class="hint">${state}</span> <button class="plain" onClick=${onEnd}>${texts.close}</button></p>
      <div class="terminal" ref=${host} />
    </div>
  `
}

function streamsOf(container: string, command: readonly string[]): URLSearchParams {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' })
  for (const word of command) query.append('command', word)
  return query
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return explain(error.code, error.message)
  return error instanceof Error ? error.message : String(error)
}
