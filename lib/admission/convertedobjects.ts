import type { ApiObject, GroupVersionKind } from '../object/index.ts'
import { withConversions } from '../scheme/index.ts'
import type { AdmissionAttributes } from './plugin.ts'
import type { ObjectVersions, ServedForm } from './versions.ts'

/**
 * A request's objects in the versions that webhooks and policies require, each converted once. A caller that changes
 * the object reports it. Reading a form throws ConversionNeeded when it needs a conversion webhook:
 * `prepare` it first, or read within withConversions.
 */
export class ConvertedObjects {
  readonly attributes: AdmissionAttributes
  readonly #versions: ObjectVersions
  #objects = new Map<string, ApiObject>()
  #texts = new Map<string, string>()
  readonly #oldObjects = new Map<string, ApiObject>()
  readonly #oldTexts = new Map<string, string>()

  constructor(attributes: AdmissionAttributes, versions: ObjectVersions) {
    this.attributes = attributes
    this.#versions = versions
  }

  /** Converts both objects to a form, so that reading them never waits. Rejects with StatusError when that fails. */
  prepare(form: ServedForm): void | Promise<void> {
    return withConversions(() => {
      this.object(form)
      this.oldObject(form)
    })
  }

  object(form: ServedForm): ApiObject | undefined {
    return this.#converted(this.attributes.object, form.kind, this.#objects)
  }

  oldObject(form: ServedForm): ApiObject | undefined {
    return this.#converted(this.attributes.oldObject, form.kind, this.#oldObjects)
  }

  /** JSON; `null` for a missing object. */
  text(form: ServedForm): string {
    return this.#encoded(this.object(form), form.kind, this.#texts)
  }

  oldText(form: ServedForm): string {
    return this.#encoded(this.oldObject(form), form.kind, this.#oldTexts)
  }

  changed(): void {
    this.#objects = new Map()
    this.#texts = new Map()
  }

  #converted(
    object: ApiObject | undefined,
    to: GroupVersionKind,
    known: Map<string, ApiObject>,
  ): ApiObject | undefined {
    const { kind, resource } = this.attributes
    if (!object || (to.version === kind.version && to.group === kind.group)) return object
    const key = keyOf(to)
    const converted = known.get(key) ?? this.#versions.convert(object, resource, to)
    known.set(key, converted)
    return converted
  }

  #encoded(object: ApiObject | undefined, kind: GroupVersionKind, known: Map<string, string>): string {
    if (!object) return 'null'
    const key = keyOf(kind)
    const text = known.get(key) ?? this.#versions.encode(object, this.attributes.resource)
    known.set(key, text)
    return text
  }
}

function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version} ${kind}`
}
