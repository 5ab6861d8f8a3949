/**
 * The plural of a kind's name, in the case of the kind and by the ending of its resource: `NetworkPolicy` and `networkpolicies`
 * are `NetworkPolicies`. The resource itself where the two have another beginning.
 */
export function pluralOf({ kind, resource }: { readonly kind: string; readonly resource: string }): string {
  const lower = kind.toLowerCase()
  let same = 0
  while (same < lower.length && lower[same] === resource[same]) same++
  return same < Math.min(3, lower.length) ? resource : kind.slice(0, same) + resource.slice(same)
}
