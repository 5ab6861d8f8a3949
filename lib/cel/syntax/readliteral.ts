import { Bytes } from '../run/values.ts'
import type { Expr } from './ast.ts'
import type { Builder } from './build.ts'
import type { Token } from './lexer.ts'
import {
  parseBytesLiteral,
  parseDoubleLiteral,
  parseIntLiteral,
  parseStringLiteral,
  parseUintLiteral,
} from './literals.ts'
import type { SourceText } from './sourcetext.ts'

/** The literal of a token, with the minus before it; undefined for other tokens. Reports malformed literals. */
export function readLiteral(source: SourceText, make: Builder, token: Token, negative: boolean): Expr | undefined {
  const place = negative ? token.position - 1 : token.position
  const parsed = <T>(value: T | undefined, message: string, otherwise: T): T => {
    if (value !== undefined) return value
    source.report(token.position, message)
    return otherwise
  }
  switch (token.kind) {
    case 'int':
      return make.literal(place, 'int', parsed(parseIntLiteral(token.text, negative), 'invalid int literal', 0n))
    case 'uint':
      return make.literal(place, 'uint', parsed(parseUintLiteral(token.text), 'invalid uint literal', 0n))
    case 'double': {
      const value = parsed(parseDoubleLiteral(token.text), 'invalid double literal', 0)
      return make.literal(place, 'double', negative ? -value : value)
    }
    case 'string':
      return make.literal(place, 'string', parsed(parseStringLiteral(token.text), 'invalid unicode code point', ''))
    case 'bytes': {
      const none = new Bytes(new Uint8Array(0))
      return make.literal(place, 'bytes', parsed(parseBytesLiteral(token.text), 'invalid bytes literal', none))
    }
    case 'true':
    case 'false':
      return make.literal(place, 'bool', token.kind === 'true')
    case 'null':
      return make.literal(place, 'null', null)
    default:
      return undefined
  }
}
