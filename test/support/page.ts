// Reads the blocks of commands in a Markdown page, so that tests can run or check them.

/** One fenced block: ```sh, with a word that says how it is run. */
export interface PageBlock {
  /** Empty: by test/e2e/documents.test.ts. `by=NAME`: by test/e2e/NAME.test.ts. `long`: by none, but its programs and flags are checked. */
  readonly run: string
  readonly text: string
  /** Line of the page, for messages. */
  readonly line: number
}

const block = /^```sh(?: (.*))?\n([\s\S]*?)^```$/gm

export function readPage(markdown: string): readonly PageBlock[] {
  return [...markdown.matchAll(block)].map(({ 1: run = '', 2: text = '', index }) => ({
    run,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }))
}
