/** The position of a value in an object; its text is built only when an error needs it. */
export class ValuePath {
  readonly #parent: ValuePath | undefined
  readonly #step: string | number
  /** The step is the key of a map: rules report it as `labels[app]`. */
  readonly #isKey: boolean

  constructor(parent: ValuePath | undefined, step: string | number, isKey = false) {
    this.#parent = parent
    this.#step = step
    this.#isKey = isKey
  }

  field(name: string): ValuePath {
    return new ValuePath(this.#isRoot ? undefined : this, name)
  }
  key(name: string): ValuePath {
    return new ValuePath(this.#isRoot ? undefined : this, name, true)
  }
  index(index: number): ValuePath {
    return new ValuePath(this.#isRoot ? undefined : this, index)
  }

  get #isRoot(): boolean {
    return this.#parent === undefined && this.#step === ''
  }

  /** `spec.list[0].x`; '' at the root. Keys of maps look like fields. */
  text(): string {
    return this.#text(false)
  }

  /** The form of errors: like `text`, with keys of maps in brackets and `<nil>` at the root. */
  label(): string {
    return this.#isRoot ? '<nil>' : this.#text(true)
  }

  #text(brackets: boolean): string {
    const parent = this.#parent
    const before = parent ? parent.#text(brackets) : ''
    if (typeof this.#step === 'number') return `${before}[${this.#step}]`
    if (this.#isKey && brackets) return `${before}[${this.#step}]`
    return before === '' ? this.#step : `${before}.${this.#step}`
  }
}

export const rootPath = new ValuePath(undefined, '')
