import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { download, type Transfer, TransferProblem, upload } from '../api/containerfiles.ts'
import { type Kind, objectPath } from '../api/kinds.ts'
import type { LiveObject } from '../api/liveobject.ts'
import { filesTexts } from '../filestext.ts'
import { ContainerChoice } from '../parts/containerchoice.ts'
import { html } from '../parts/html.ts'
import { saveFile } from '../parts/savefile.ts'
import { lackOfStreams, useLack } from '../parts/uselack.ts'
import { containerPath } from '../state/containerpath.ts'
import { route } from '../state/route.ts'
import { texts } from '../text.ts'
import { containerNames } from './containers.ts'

/** Copies files from and to the containers of a pod, one at a time. */
export function Files({ kind, live }: { readonly kind: Kind; readonly live: LiveObject }) {
  const { namespace, name } = route.value
  const names = containerNames(live.object)
  const container = useSignal('')
  const path = useSignal('')
  const folder = useSignal('/tmp')
  const file = useSignal<File | undefined>(undefined)
  const state = useSignal('')
  const problem = useSignal('')
  const running = useSignal<AbortController | undefined>(undefined)
  const latest = useRef<AbortController>(undefined)
  useEffect(() => () => latest.current?.abort(), [])
  const chosen = container.value || names[0] || ''

  /** Runs a transfer, which answers what to say of its end. */
  const begin = async (
    progress: (bytes: number) => string,
    cancelled: string,
    transfer: (options: Transfer) => Promise<string>,
  ): Promise<void> => {
    const closing = new AbortController()
    running.value = latest.current = closing
    problem.value = ''
    state.value = progress(0)
    try {
      state.value = await transfer({
        execPath: `${objectPath(kind, namespace, name)}/exec`,
        container: chosen,
        signal: closing.signal,
        onProgress: (bytes) => (state.value = progress(bytes)),
      })
    } catch (error) {
      state.value = closing.signal.aborted ? cancelled : ''
      if (!closing.signal.aborted)
        problem.value = error instanceof TransferProblem ? error.message : filesTexts.failed(String(error))
    }
    running.value = undefined
  }
  const save = (event: Event): void => {
    event.preventDefault()
    const wanted = containerPath(path.value)
    if (!wanted) return void (problem.value = filesTexts.noPath)
    const received = (bytes: number): string => filesTexts.reading(shownBytes(bytes))
    void begin(received, filesTexts.cancelled, async (transfer) => {
      const got = await download(transfer, wanted)
      saveFile(got.name, got.parts)
      return filesTexts.saved(got.name, shownBytes(got.bytes), got.leftOut)
    })
  }
  const send = (event: Event): void => {
    event.preventDefault()
    const given = file.value
    if (!given) return
    const sent = (bytes: number): string => filesTexts.writing(shownBytes(bytes), shownBytes(given.size))
    void begin(sent, filesTexts.uploadCancelled, async (transfer) => {
      await upload(transfer, given, folder.value)
      return filesTexts.sent(given.name, folder.value)
    })
  }

  const lackOf = useLack(kind, namespace)
  const lack = lackOfStreams() ?? lackOf('get', 'exec', name) ?? lackOf('create', 'exec', name)
  const isOff = lack !== undefined || running.value !== undefined
  return html`
    <div class="filters">
      <${ContainerChoice} names=${names} chosen=${chosen} container=${container} />
    </div>
    <form class="filters" onSubmit=${save}>
      <input aria-label=${filesTexts.path} placeholder=${filesTexts.path} value=${path} required spellcheck=${false} onInput=${(
        event: Event,
      ) => {
        if (event.currentTarget instanceof HTMLInputElement) path.value = event.currentTarget.value
      }} />
      <button type="submit" disabled=${isOff} title=${lack}>${filesTexts.download}</button>
    </form>
    <form class="filters" onSubmit=${send}>
      <input type="file" aria-label=${filesTexts.file} required onChange=${(event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) file.value = event.currentTarget.files?.[0]
      }} />
      <input aria-label=${filesTexts.folder} placeholder=${filesTexts.folder} value=${folder} required spellcheck=${false} onInput=${(
        event: Event,
      ) => {
        if (event.currentTarget instanceof HTMLInputElement) folder.value = event.currentTarget.value
      }} />
      <button type="submit" disabled=${isOff} title=${lack}>${filesTexts.upload}</button>
    </form>
    <p class="actions">
      <span role="status">${state}</span>
      ${running.value && html`<button class="plain" onClick=${() => running.value?.abort()}>${texts.cancel}</button>`}
    </p>
    ${problem.value !== '' && html`<p role="alert" class="problem">${problem.value}</p>`}
    <p class="hint">${filesTexts.hint}</p>
  `
}

/** Bytes in the largest unit that leaves a whole number before the point. */
function shownBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
