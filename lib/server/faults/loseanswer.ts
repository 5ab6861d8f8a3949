import { RequestError } from '../../client/index.ts'
import { LocalResponder } from '../responder/local.ts'
import type { ServerResponder } from '../responder/responder.ts'

/** The handler does its work; when it answers, the client sees its connection break instead. */
export function loseAnswer(responder: ServerResponder): void {
  if (responder instanceof LocalResponder) {
    const lose = (): void =>
      responder.leave(new RequestError('the connection broke before the answer: EOF', { why: 'EOF' }))
    Object.assign(responder, { send: lose, sendChunks: lose, answer: lose, answerList: lose })
  } else {
    const lose = (): void => responder.fail()
    Object.assign(responder, { send: lose, sendChunks: lose })
  }
}
