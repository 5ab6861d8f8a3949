// The thread of the page's try-out box, a Web Worker (hack/bundle.ts): it answers one question at a time, and the page
// ends it when an answer takes too long. It sends `ready` once it can be asked.
import { answerTryout } from './answer.ts'
import type { TryoutQuestion, TryoutReport } from './report.ts'

/** The global object of a dedicated worker, as far as it is used: the sources are checked without a browser's types. */
interface WorkerScope {
  onmessage: ((event: { readonly data: TryoutQuestion }) => void) | null
  postMessage(message: 'ready' | TryoutReport): void
}

const scope = globalThis as unknown as WorkerScope

scope.onmessage = ({ data }) =>
  void answerTryout(data).then(
    (report) => scope.postMessage(report),
    (error: unknown) =>
      scope.postMessage({
        problem: String(error),
        verdict: '',
        findings: [],
        left: 0,
        reviews: '',
        changed: undefined,
      }),
  )
scope.postMessage('ready')
