/**
 * The program of a thread. hack/bundle.ts puts it next to the chunk that contains this file; the binary has a file of its own
 * in this one's place.
 */
export const threadProgram = new URL(
  import.meta.url.endsWith('/threadprogram.ts') ? 'thread.ts' : 'largework.js',
  import.meta.url,
)
