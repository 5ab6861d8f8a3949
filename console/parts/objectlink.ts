import { findKind } from '../api/kinds.ts'
import { linkTo } from '../state/route.ts'
import { html } from './html.ts'

interface ObjectLinkProps {
  readonly group?: string
  readonly resource: string
  readonly namespace?: string
  readonly name: string
}

/** A link to an object's page, by its name. */
export function ObjectLink({ group = '', resource, namespace = '', name }: ObjectLinkProps) {
  if (!findKind(group, resource)) return html`<span>${name}</span>`
  return html`<a href=${linkTo({ view: 'object', group, resource, namespace, name })}>${name}</a>`
}
