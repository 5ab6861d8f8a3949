import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { otherContexts, signInHere, signInWith } from '../api/contexts.ts'
import { type Issuer, type IssuerEndpoints, readEndpoints, readIssuer, signInAt } from '../api/issuer.ts'
import { ApiError, endedSession, sessionName, sessions, signIn, switchTo } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { Logo } from '../parts/logo.ts'
import { isAddingSession } from '../state/keys.ts'
import type { Context } from '../state/kubeconfig.ts'
import { explain, texts } from '../text.ts'

const problem = signal('')
const isBusy = signal(false)

async function attempt(action: () => Promise<unknown>): Promise<void> {
  isBusy.value = true
  problem.value = ''
  try {
    await action()
    isAddingSession.value = false
  } catch (error) {
    problem.value = explainSignIn(error)
  } finally {
    isBusy.value = false
  }
}

function explainSignIn(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  if (error.reason === 'Issuer') return `${texts.issuerRefused} ${error.message}.`
  if (error.reason === 'CertificateInstead') return texts.certificateInstead(error.message)
  if (error.reason === 'NoContext') return texts.noContext
  return error.code === 401 || error.code === 403 ? texts.signInRefused : explain(0, error.message)
}

export function SignInView() {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    void attempt(() => signInWith(field.current?.value ?? ''))
  }
  const ended = endedSession.value
  return html`
    <main class="signin">
      <form onSubmit=${submit}>
        <h1><${Logo} /> ${texts.title}</h1>
        ${ended && html`<p role="status" class="problem">${texts.sessionEnded} ${sessionName(ended)}</p>`}
        <label for="credential">${texts.credential}</label>
        <textarea id="credential" ref=${field} rows="4" spellcheck=${false} autocomplete="off" required />
        <p class="hint">${texts.signInHint} ${texts.signInWhere}</p>
        <p role="alert" class="problem">${problem.value}</p>
        <button type="submit" disabled=${isBusy.value}>${texts.signIn}</button>
        <${FromFile} />
        <button type="button" class="plain" disabled=${isBusy.value} onClick=${() => void attempt(() => signIn(''))}>
          ${texts.signInCertificate}
        </button>
        <${AtIssuer} />
        <${Kept} />
        <${OtherContexts} />
      </form>
    </main>
  `
}

/** More is no kubeconfig. */
const fileBytesMax = 1_000_000

/** Signs in by a file that the user chooses; the page alone reads it. */
function FromFile() {
  const input = useRef<HTMLInputElement>(null)
  const read = async (): Promise<void> => {
    const file = input.current?.files?.[0]
    if (!file) return
    const text = file.size > fileBytesMax ? '' : await file.text()
    if (input.current) input.current.value = ''
    await attempt(() => signInWith(text))
  }
  return html`
    <input type="file" ref=${input} hidden aria-label=${texts.signInFile} onChange=${() => void read()} />
    <button type="button" class="plain" disabled=${isBusy.value} onClick=${() => input.current?.click()}>${texts.signInFile}</button>
  `
}

/** Nothing unless the server names an issuer. Its endpoints are read first: browsers open windows only right after a click. */
function AtIssuer() {
  const found = useSignal<{ issuer: Issuer; endpoints: IssuerEndpoints } | undefined>(undefined)
  const waiting = useSignal<AbortController | undefined>(undefined)
  useEffect(() => {
    const read = async (): Promise<void> => {
      const issuer = await readIssuer()
      if (issuer) found.value = { issuer, endpoints: await readEndpoints(issuer) }
    }
    read().catch((error: unknown) => (problem.value = explainSignIn(error)))
    return () => waiting.value?.abort()
  }, [])
  if (!found.value) return null
  const { issuer, endpoints } = found.value
  const open = (): void => {
    const closing = new AbortController()
    waiting.value = closing
    void attempt(() => signInAt(issuer, endpoints, closing.signal)).finally(() => (waiting.value = undefined))
  }
  return waiting.value
    ? html`<button type="button" class="plain" onClick=${() => waiting.value?.abort()}>${texts.cancel}</button>`
    : html`<button type="button" onClick=${open}>${texts.signInAt} ${new URL(issuer.url).host}</button>`
}

/** The sessions that this page still holds. */
function Kept() {
  if (sessions.value.length === 0) return null
  const use = (id: number): void => {
    switchTo(id)
    isAddingSession.value = false
  }
  return html`
    <h2>${texts.sessions}</h2>
    <ul class="choices">
      ${sessions.value.map((each) => html`<li key=${each.id}><button type="button" class="plain" onClick=${() => use(each.id)}>${sessionName(each)}</button></li>`)}
    </ul>
  `
}

/** Contexts that were not used, and why; one of another address may be this very server all the same. */
function OtherContexts() {
  if (otherContexts.value.length === 0) return null
  return html`
    <h2>${texts.otherContexts}</h2>
    <ul class="choices">
      ${otherContexts.value.map(
        (context) => html`
          <li key=${context.name}>
            <strong>${context.name}</strong> <small>${context.user}</small>
            ${
              context.token === ''
                ? html` <span class="hint">${context.instead === 'certificate' ? texts.needsCertificate : texts.needsProgram}</span>`
                : html`<${Elsewhere} context=${context} />`
            }
          </li>
        `,
      )}
    </ul>
  `
}

function Elsewhere({ context }: { readonly context: Context }) {
  return html`
    ${context.server !== '' && html` <a href=${`${context.server}/console/`} rel="noreferrer">${context.server}</a>`}
    <button type="button" class="plain" disabled=${isBusy.value} onClick=${() => void attempt(() => signInHere(context))}>${texts.useHere}</button>
  `
}
