import https from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies of any shape
  readonly body: any
}

/** A connection costs more than most requests; one that waits doesn't keep the process alive. */
const agent = new https.Agent({ keepAlive: true })

/**
 * One request with JSON bodies, certificates unchecked; `headers` may repeat a name with a list. Connections are kept for
 * further requests, unless `isFresh`.
 */
export async function ask(
  url: string,
  path: string,
  options: {
    method?: string
    token?: string | undefined
    body?: unknown
    headers?: Record<string, string | string[]>
    cert?: string
    key?: string
    isFresh?: boolean
  } = {},
): Promise<Answer> {
  const { method, token, body, headers = {}, cert, key, isFresh = false } = options
  return await new Promise((resolve, reject) => {
    const call = https.request(
      url + path,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        rejectUnauthorized: false,
        agent: isFresh ? false : agent,
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parse(text) })
        })
        answer.on('error', reject)
      },
    )
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server has closed the connection while nothing was asked on it.
      if (!call.reusedSocket || error.code !== 'ECONNRESET') return reject(error)
      ask(url, path, { ...options, isFresh: true }).then(resolve, reject)
    })
    call.end(
      body === undefined
        ? undefined
        : typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body),
    )
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
