import https from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies of any shape
  readonly body: any
}

/** One request with JSON bodies, certificates unchecked; `headers` may repeat a name with a list. */
export async function ask(
  url: string,
  path: string,
  {
    method,
    token,
    body,
    headers = {},
    cert,
    key,
  }: {
    method?: string
    token?: string | undefined
    body?: unknown
    headers?: Record<string, string | string[]>
    cert?: string
    key?: string
  } = {},
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const call = https.request(
      url + path,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        rejectUnauthorized: false,
        agent: false,
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
    call.on('error', reject)
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
