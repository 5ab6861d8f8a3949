import type { TryoutQuestion, TryoutReport } from '../../lib/console/tryout/report.ts'

/** Name of the thread's script: hack/bundle.ts puts it here. */
declare const tryoutProgram: string

/** Beyond it the thread is ended: no expression holds more than one core for longer. */
const answerMsMax = 2000
const startMsMax = 30_000

/** The part of Trusted Types that is used; browsers without them take a plain address. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string }
}

/** The page's only policy of script addresses: it knows one address, whatever it is given. */
const addresses = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('tryout', {
  createScriptURL: () => tryoutProgram,
})

/** The answer takes longer than it may. */
export class TryoutTimeout extends Error {}

/** The thread that evaluates drafts, one at a time; started when it is first asked, and again after a timeout. */
export class TryoutThread {
  #worker: Promise<Worker> | undefined

  /** Throws TryoutTimeout, and Error where the thread can't be started. */
  async ask(question: TryoutQuestion): Promise<TryoutReport> {
    try {
      const worker = await (this.#worker ??= start())
      const answer = nextMessage<TryoutReport>(worker, answerMsMax)
      worker.postMessage(question)
      return await answer
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    const closing = this.#worker
    this.#worker = undefined
    void closing?.then(
      (worker) => worker.terminate(),
      () => {},
    )
  }
}

async function start(): Promise<Worker> {
  const worker = new Worker(addresses ? addresses.createScriptURL('') : tryoutProgram)
  try {
    await nextMessage<'ready'>(worker, startMsMax)
    return worker
  } catch (error) {
    worker.terminate()
    throw error
  }
}

function nextMessage<Message>(worker: Worker, timeoutMs: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TryoutTimeout()), timeoutMs)
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      clearTimeout(timer)
      resolve(data)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      clearTimeout(timer)
      reject(new Error(event.message))
    }
  })
}
