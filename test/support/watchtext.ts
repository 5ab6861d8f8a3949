import https from 'node:https'
import { adminToken } from './apiserver.ts'

/** How long to look for events beyond those that were waited for. */
const surplusMs = 200

/** The output of a watch at `path` of one of our servers when there are `count` events, and a moment later. */
export async function watchText(server: { url: string }, path: string, count: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${adminToken}` }
    const call = https.get(server.url + path, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
      let text = ''
      const finish = (): void => {
        resolve(text)
        call.destroy()
      }
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const before = eventsIn(text)
        text += chunk
        if (before < count && eventsIn(text) >= count) setTimeout(finish, surplusMs)
      })
      answer.on('end', finish)
      answer.on('error', reject)
    })
    call.on('error', reject)
  })
}

function eventsIn(text: string): number {
  return text.split('\n').length - 1
}
