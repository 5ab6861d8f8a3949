import { isRecord, text } from './values.ts'

/** The apiVersion and kind that a text of YAML or JSON names; '' for what it does not. */
export function kindIn(typed: string): { readonly apiVersion: string; readonly kind: string } {
  if (typed.trimStart().startsWith('{')) return kindInJson(typed)
  const field = (name: string): string => new RegExp(`^${name}:[ \\t]*["']?([^"'\\s#]+)`, 'm').exec(typed)?.[1] ?? ''
  return { apiVersion: field('apiVersion'), kind: field('kind') }
}

function kindInJson(typed: string): { readonly apiVersion: string; readonly kind: string } {
  let read: unknown
  try {
    read = JSON.parse(typed)
  } catch {
    // The thread reports it.
  }
  const { apiVersion, kind } = isRecord(read) ? read : {}
  return { apiVersion: text(apiVersion), kind: text(kind) }
}
