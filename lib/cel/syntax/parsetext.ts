import type { Expr } from './ast.ts'
import { parse } from './parser.ts'
import { SourceText } from './sourcetext.ts'

/**
 * The tree of an expression that is read and never evaluated, without macros. Throws Error with the first problem of the
 * text.
 */
export function parseText(text: string, { sizeMax, depthMax }: { sizeMax: number; depthMax: number }): Expr {
  const source = new SourceText(text)
  const parsed = parse(source, { macros: new Map(), optionalSyntax: false, quotedFields: false, sizeMax, depthMax })
  if (!parsed) throw new Error(source.issues[0]?.message ?? 'invalid expression')
  return parsed.expr
}
