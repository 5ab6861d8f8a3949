import { isSameUser } from '../state/userinfo.ts'
import { fieldOf } from '../state/values.ts'
import { texts } from '../text.ts'
import { readJson, type Session } from './session.ts'

/** A stream that would not run as the user whom the page shows. */
export class OtherUser extends Error {}

/**
 * Throws OtherUser unless a WebSocket of this page runs as the session's user, and ApiError where the server does not
 * answer. Browsers show a client certificate to a WebSocket even beside a token, and servers take the certificate's user
 * then. The page's requests with a token hide it where the browser can, but for one here, which is made as the WebSocket is.
 */
export async function requireSameUser({ user, seenAs }: Session): Promise<void> {
  if (seenAs !== '') throw new OtherUser(texts.streamAsOther)
  const [usual, streamed] = await Promise.all([readUser({}), readUser({ credentials: 'same-origin' })])
  const other = [usual, streamed].find((each) => fieldOf(each, 'username') !== user)
  if (other || !isSameUser(usual, streamed))
    throw new OtherUser(texts.streamAsCertificate(String(fieldOf(other ?? streamed, 'username') ?? ''), user))
}

/** As a review by the user itself reports it. */
async function readUser(options: { readonly credentials?: RequestCredentials }): Promise<unknown> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  return fieldOf(await readJson(path, { ...options, method: 'POST', body }), 'status', 'userInfo')
}
