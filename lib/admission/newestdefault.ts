import type * as meta from '../../api/gen/meta/v1.ts'

/** The newest class that is marked as the default; the first by name among equally new ones. */
export function newestDefault<Class extends { readonly metadata: meta.ObjectMeta }>(
  classes: readonly Class[],
  annotations: readonly string[],
): Class | undefined {
  const marked = classes.filter(({ metadata }) => annotations.some((key) => metadata.annotations?.[key] === 'true'))
  // The order of these texts is the order of time: all have one format.
  const madeAt = ({ metadata }: Class): string => metadata.creationTimestamp ?? ''
  const nameOf = ({ metadata }: Class): string => metadata.name ?? ''
  return marked.sort((a, b) => compare(madeAt(b), madeAt(a)) || compare(nameOf(a), nameOf(b)))[0]
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
