import { parseJsonText } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { Version2Part } from './convert.ts'
import type { Json } from './schemas.ts'

/** OpenAPI of another server's group version. */
export interface RemoteDocuments {
  /** The path in the index of version 3: `apis/metrics.k8s.io/v1beta1`. */
  readonly path: string
  /**
   * URL of the document of version 3, with its hash; '' when the other server describes nothing of the group version.
   */
  readonly url: string
  /** Identifies the other server's document of version 2. */
  readonly etag: string | undefined
  /** The paths of the group version and the definitions that they need. */
  readonly version2: Version2Part | undefined
  /** Answers a call for the document of version 3. */
  serve(call: Call): void | Promise<void>
}

/**
 * The document without conflicts between its definitions and `known`, the existing definitions as text: an equal one
 * keeps its name, another one of the same name gets a suffix, as the stock server merges them.
 */
export function withoutConflicts(
  { paths, definitions }: { readonly paths: Json; readonly definitions: Json },
  known: ReadonlyMap<string, string>,
): { readonly paths: Json; readonly definitions: Json } {
  const renamed = new Map<string, string>()
  for (const [name, definition] of Object.entries(definitions)) {
    const there = known.get(name)
    if (there === undefined || there === JSON.stringify(definition)) continue
    let suffix = 2
    while (known.has(`${name}_v${suffix}`) || Object.hasOwn(definitions, `${name}_v${suffix}`)) suffix++
    renamed.set(name, `${name}_v${suffix}`)
  }
  if (renamed.size === 0) return { paths, definitions }
  const rewritten = (value: Json): Json =>
    parseJsonText(
      JSON.stringify(value).replaceAll(/"#\/definitions\/([^"]+)"/g, (whole, name: string) => {
        const other = renamed.get(name)
        return other === undefined ? whole : `"#/definitions/${other}"`
      }),
    ) as Json
  return {
    paths: rewritten(paths),
    definitions: Object.fromEntries(
      Object.entries(rewritten(definitions)).map(([name, definition]) => [renamed.get(name) ?? name, definition]),
    ),
  }
}
