/** The first item of a list in YAML as the server writes it, as a text of its own. */
export function itemOfList(yaml: string): string {
  const start = yaml.search(/^- /m)
  // Empty lines are part of a text of several lines.
  const end = yaml.slice(start).search(/\n(?! {2}|\n|$)/)
  const item = yaml.slice(start, end < 0 ? undefined : start + end)
  return item.replaceAll(/^(?:- | {2})/gm, '').replace(/\n$/, '')
}
