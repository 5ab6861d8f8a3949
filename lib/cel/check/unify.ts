import { type CelType, type ParamType, runtimeTypeName, types } from './types.ts'

/** Thrown when types are too large to check: shared parts can make a walk over them endless. */
export class TooComplex {}

const stepsMax = 2_000_000

/** The checker's bindings of type variables. */
export class Solution {
  readonly #bound = new Map<string, CelType>()
  /** The bindings that the current match has replaced, newest last, for restoring them. */
  readonly #trail: { readonly name: string; readonly before: CelType | undefined }[] = []
  #steps = 0

  /** Whether values of the types `from` are acceptable as `to`; new bindings are kept only when all match. */
  assign(from: readonly CelType[], to: readonly CelType[]): boolean {
    if (from.length !== to.length) return false
    this.#trail.length = 0
    for (let index = 0; index < from.length; index++) {
      if (this.#fits(from[index] ?? types.error, to[index] ?? types.error)) continue
      this.#undo()
      return false
    }
    return true
  }

  #undo(): void {
    for (let change = this.#trail.pop(); change; change = this.#trail.pop()) {
      if (change.before) this.#bound.set(change.name, change.before)
      else this.#bound.delete(change.name)
    }
  }

  #bind(name: string, type: CelType): void {
    this.#trail.push({ name, before: this.#bound.get(name) })
    this.#bound.set(name, type)
  }

  /** The type with its variables replaced; unsolved ones become dyn when `final`. */
  substitute(type: CelType, final = false): CelType {
    this.#step()
    switch (type.kind) {
      case 'param': {
        const bound = this.#bound.get(type.name)
        if (bound) return this.substitute(bound, final)
        return final ? types.dyn : type
      }
      case 'list': {
        const element = this.substitute(type.element, final)
        return element === type.element ? type : { ...type, element }
      }
      case 'map': {
        const key = this.substitute(type.key, final)
        const value = this.substitute(type.value, final)
        return key === type.key && value === type.value ? type : { ...type, key, value }
      }
      case 'opaque':
        if (type.parameters.length === 0) return type
        return { ...type, parameters: type.parameters.map((p) => this.substitute(p, final)) }
      case 'type':
        return type.of === undefined ? type : types.typeOf(this.substitute(type.of, final))
      default:
        return type
    }
  }

  /** Equal except for size bounds. */
  same(a: CelType, b: CelType): boolean {
    this.#step()
    if (a === b) return true
    switch (a.kind) {
      case 'list':
        return b.kind === 'list' && this.same(a.element, b.element)
      case 'map':
        return b.kind === 'map' && this.same(a.key, b.key) && this.same(a.value, b.value)
      case 'opaque':
        if (b.kind !== 'opaque' || a.name !== b.name) return false
        return a.parameters.every((p, index) => this.same(p, b.parameters[index] ?? types.dyn))
      case 'type':
        if (b.kind !== 'type') return false
        return a.of && b.of ? this.same(a.of, b.of) : a.of === b.of
      case 'object':
      case 'param':
        return b.kind === a.kind && a.name === b.name
      default:
        return a.kind === b.kind
    }
  }

  #step(): void {
    if (++this.#steps > stepsMax) throw new TooComplex()
  }

  #fits(from: CelType, to: CelType): boolean {
    this.#step()
    if (to.kind === 'param') {
      const outcome = this.#solve(to, from)
      if (outcome !== 'open') return outcome === 'yes'
    }
    if (from.kind === 'param') return this.#solve(from, to) === 'yes'
    if (isDynamic(from) || isDynamic(to)) return true
    if (from.kind === 'null_type') return takesNull(to)
    switch (to.kind) {
      case 'list':
        return from.kind === 'list' && this.#fits(from.element, to.element)
      case 'map':
        return from.kind === 'map' && this.#fits(from.key, to.key) && this.#fits(from.value, to.value)
      case 'object':
        return from.kind === 'object' && from.name === to.name
      case 'opaque':
        if (from.kind !== 'opaque' || from.name !== to.name) return false
        return to.parameters.every((p, index) => this.#fits(from.parameters[index] ?? types.dyn, p))
      case 'type':
        return from.kind === 'type'
      default:
        return from.kind === to.kind
    }
  }

  /** Can `variable` be bound to `type`? 'open': only when the roles are swapped. */
  #solve(variable: ParamType, type: CelType): 'yes' | 'no' | 'open' {
    if (type.kind === 'param' && type.name === variable.name) return 'yes'
    const bound = this.#bound.get(variable.name)
    if (bound) {
      if (this.same(bound, type)) return 'yes'
      if (!this.#fits(type, bound)) return 'no'
      const wider = moreGeneral(type, bound)
      if (!this.#mentions(wider, variable.name)) this.#bind(variable.name, wider)
      return 'yes'
    }
    if (this.#mentions(type, variable.name)) return 'open'
    this.#bind(variable.name, type)
    return 'yes'
  }

  #mentions(type: CelType, name: string): boolean {
    this.#step()
    switch (type.kind) {
      case 'param': {
        if (type.name === name) return true
        const bound = this.#bound.get(type.name)
        return bound !== undefined && this.#mentions(bound, name)
      }
      case 'list':
        return this.#mentions(type.element, name)
      case 'map':
        return this.#mentions(type.key, name) || this.#mentions(type.value, name)
      case 'opaque':
        return type.parameters.some((p) => this.#mentions(p, name))
      case 'type':
        return type.of !== undefined && this.#mentions(type.of, name)
      default:
        return false
    }
  }
}

export function isDynamic(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error'
}

function takesNull(type: CelType): boolean {
  const { kind } = type
  return ['null_type', 'object', 'opaque', 'timestamp', 'duration'].includes(kind)
}

/** The wider of two compatible types. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return atLeastAsGeneral(a, b, 0) ? a : b
}

/** Types nested deeper count as equally general. */
const comparedDepthMax = 16

function atLeastAsGeneral(a: CelType, b: CelType, depth: number): boolean {
  if (a === b || depth > comparedDepthMax) return true
  if (isDynamic(a)) return true
  if (a.kind === 'param') return true
  if (isDynamic(b) || b.kind === 'param') return false
  if (a.kind === 'list') return b.kind === 'list' && atLeastAsGeneral(a.element, b.element, depth + 1)
  if (a.kind === 'map') {
    return (
      b.kind === 'map' && atLeastAsGeneral(a.key, b.key, depth + 1) && atLeastAsGeneral(a.value, b.value, depth + 1)
    )
  }
  if (a.kind === 'opaque') {
    if (b.kind !== 'opaque' || a.name !== b.name) return false
    return a.parameters.every((p, index) => atLeastAsGeneral(p, b.parameters[index] ?? types.dyn, depth + 1))
  }
  // null matches an object type, which is wider.
  if (b.kind === 'null_type') return true
  return runtimeTypeName(a) === runtimeTypeName(b)
}
