import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, signIn } from '../api/session.ts'
import { html } from '../parts/html.ts'
import { explain, texts } from '../text.ts'

const problem = signal('')
const isBusy = signal(false)

async function attempt(credential: string): Promise<void> {
  isBusy.value = true
  problem.value = ''
  try {
    await signIn(credential)
  } catch (error) {
    const refused = error instanceof ApiError && (error.code === 401 || error.code === 403)
    problem.value = refused ? texts.signInRefused : explain(0, error instanceof Error ? error.message : String(error))
  } finally {
    isBusy.value = false
  }
}

export function SignInView() {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    void attempt(field.current?.value ?? '')
  }
  return html`
    <main class="signin">
      <form onSubmit=${submit}>
        <h1>${texts.title}</h1>
        <label for="credential">${texts.credential}</label>
        <textarea id="credential" ref=${field} rows="4" spellcheck="false" autocomplete="off" required />
        <p class="hint">${texts.signInHint}</p>
        <p role="alert" class="problem">${problem.value}</p>
        <button type="submit" disabled=${isBusy.value}>${texts.signIn}</button>
        <button type="button" class="plain" disabled=${isBusy.value} onClick=${() => void attempt('')}>
          ${texts.signInCertificate}
        </button>
      </form>
    </main>
  `
}
