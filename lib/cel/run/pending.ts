/** Thrown by functions whose answer is not available yet. The evaluation starts over when `ready` settles. */
export class Pending {
  readonly ready: Promise<unknown>
  /** Cost of the evaluation so far. */
  cost = 0
  constructor(ready: Promise<unknown>) {
    this.ready = ready
  }
}
