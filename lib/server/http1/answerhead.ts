import type { Clock } from '../../base/index.ts'

/** Reason phrases of the registered status codes (RFC 9110, section 15.1). */
const reasons: ReadonlyMap<number, string> = new Map([
  [100, 'Continue'],
  [101, 'Switching Protocols'],
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
  [206, 'Partial Content'],
  [300, 'Multiple Choices'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [411, 'Length Required'],
  [412, 'Precondition Failed'],
  [413, 'Payload Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [421, 'Misdirected Request'],
  [422, 'Unprocessable Entity'],
  [425, 'Too Early'],
  [426, 'Upgrade Required'],
  [428, 'Precondition Required'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [451, 'Unavailable For Legal Reasons'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [505, 'HTTP Version Not Supported'],
  [507, 'Insufficient Storage'],
  [511, 'Network Authentication Required'],
])
const statusLines: ReadonlyMap<number, string> = new Map(
  [...reasons].map(([status, reason]) => [status, `HTTP/1.1 ${status} ${reason}\r\n`]),
)

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** A character is written as one byte: a larger one could become a line end. */
const badValue = /[^\t -~\x80-\xff]/

/** The last lines of heads. They are the same for all answers of a second. */
export class AnswerEnds {
  readonly #clock: Clock
  readonly #idleLine: string
  #second = Number.NaN
  #date = ''
  #keeping = ''
  #closing = ''

  constructor(clock: Clock, idleTimeoutMs: number) {
    this.#clock = clock
    // The client is to stop using the connection before it is closed here.
    this.#idleLine = `keep-alive: timeout=${Math.max(1, Math.floor(idleTimeoutMs / 1000) - 1)}\r\n`
  }

  of(keepsAlive: boolean): string {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second !== this.#second) this.#renew(second)
    return keepsAlive ? this.#keeping : this.#closing
  }

  /** For the switch to another protocol. */
  get ofUpgrade(): string {
    this.of(true)
    return `${this.#date}\r\n`
  }

  #renew(second: number): void {
    this.#second = second
    this.#date = `date: ${new Date(second * 1000).toUTCString()}\r\n`
    this.#keeping = `${this.#date}connection: keep-alive\r\n${this.#idleLine}\r\n`
    this.#closing = `${this.#date}connection: close\r\n\r\n`
  }
}

/** The status line and headers, a character for each byte, without `end`. Throws for what no header can contain. */
export function answerHead(status: number, list: readonly string[]): string {
  let text = statusLines.get(status) ?? `HTTP/1.1 ${status} \r\n`
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = list[at] ?? ''
    const value = list[at + 1] ?? ''
    if (!token.test(name)) throw new TypeError(`a header can't have the name ${JSON.stringify(name)}`)
    if (badValue.test(value)) throw new TypeError(`the header ${name} has characters that it can't contain`)
    text += `${name}: ${value}\r\n`
  }
  return text
}
