import htm from 'htm'
import { type ComponentChild, h } from 'preact'

/** Markup as a template. Values become text or attributes, never markup. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => ComponentChild
