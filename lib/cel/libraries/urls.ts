import { globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, scaled } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { ArrayList, EntryMap, Opaque, type Value } from '../run/values.ts'
import { parseRequestUri, type RequestUri } from './uri.ts'

const { string, bool } = types

/** kubernetes.URL */
class UrlValue extends Opaque {
  readonly uri: RequestUri
  readonly text: string
  constructor(uri: RequestUri, text: string) {
    super()
    this.uri = uri
    this.text = text
  }
  get typeName(): string {
    return 'kubernetes.URL'
  }
  equals(other: Opaque): boolean {
    return other instanceof UrlValue && this.text === other.text
  }
}

/** url, isURL, getScheme, getHost, getHostname, getPort, getEscapedPath, getQuery. */
export function urlsLibrary(): Library {
  const url = types.opaque('kubernetes.URL')
  const estimate: Overload['estimate'] = ([text]) => {
    const size = text?.size ?? exactly(1)
    return { cost: scaled(size, costs.traversal), resultSize: size }
  }
  const part = (name: string, call: (value: UrlValue) => Value) => ({
    name,
    overloads: [memberForm(`url_${name}`, [url], string, call)],
  })
  return {
    name: 'urls',
    types: [url],
    functions: [
      {
        name: 'url',
        overloads: [
          globalForm(
            'string_to_url',
            [string],
            url,
            (text: string) => {
              const uri = parseRequestUri(text)
              const refusal = typeof uri === 'string' ? uri : undefined
              if (refusal !== undefined)
                return invalidArgument(`URL parse error during conversion from string: ${refusal}`)
              return new UrlValue(uri as RequestUri, text)
            },
            { cost: (text: Value) => traversal(sizeOf(text)), estimate },
          ),
        ],
      },
      {
        name: 'isURL',
        overloads: [
          globalForm('is_url_string', [string], bool, (text: string) => typeof parseRequestUri(text) !== 'string', {
            cost: (text: Value) => Math.max(1, traversal(sizeOf(text))),
          }),
        ],
      },
      part('getScheme', ({ uri }) => uri.scheme),
      part('getHost', ({ uri }) => uri.host),
      part('getHostname', ({ uri }) => hostname(uri.host)),
      part('getPort', ({ uri }) => /:(\d*)$/.exec(uri.host.replace(/^\[.*\]/, ''))?.[1] ?? ''),
      part('getEscapedPath', ({ uri }) => uri.escapedPath),
      {
        name: 'getQuery',
        overloads: [
          memberForm(
            'url_getQuery',
            [url],
            types.map(string, types.list(string)),
            ({ uri }: UrlValue) =>
              new EntryMap([...uri.query].map(([key, values]) => [key, new ArrayList(values)] as const)),
          ),
        ],
      },
    ],
  }
}

function hostname(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host)?.[1]
  return bracketed ?? host.replace(/:\d*$/, '')
}
