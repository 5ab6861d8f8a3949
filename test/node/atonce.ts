/**
 * Tests that run at the same time, as they mostly wait: all begin before the first of them is awaited. One that is tried
 * again runs alone.
 */
export function itAtOnce(cases: Readonly<Record<string, () => Promise<void>>>): void {
  const running = new Map<string, Promise<void>>()
  before(() => {
    for (const [title, run] of Object.entries(cases)) {
      const promise = run()
      // Its test reports the failure.
      promise.catch(() => {})
      running.set(title, promise)
    }
  })
  for (const [title, run] of Object.entries(cases))
    it(title, async () => {
      const begun = running.get(title)
      running.delete(title)
      await (begun ?? run())
    })
}
