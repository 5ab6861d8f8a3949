// The window that the issuer sends back here: it hands the answer to the page that waits for it, which is of this very
// origin, as no other one can listen, and closes. The answer holds a code, which is of no use without the page's verifier.
import { answersName } from './state/signinanswers.ts'
import { texts } from './text.ts'

const answer = location.search
history.replaceState(null, '', location.pathname)
const channel = new BroadcastChannel(answersName)
channel.postMessage(answer)
channel.close()
const note = document.querySelector('#note')
if (note !== null) note.textContent = texts.signedInElsewhere
window.close()
