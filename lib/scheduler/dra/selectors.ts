import { LRUCache } from 'lru-cache'
import type { Device, DeviceAttribute } from '../../../api/gen/resource.k8s.io/v1.ts'
import {
  type Bindings,
  compile,
  createEnvironment,
  EntryMap,
  kubernetesLibraries,
  type MapKey,
  MapValue,
  type Program,
  types,
  type Value,
} from '../../cel/index.ts'
import { deviceEnvironment } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { DeviceInfo } from './deviceindex.ts'

/** Expressions that are kept compiled. */
const programsMax = 256

/** Evaluates expressions about devices. An answer is kept with its device. */
export class DeviceSelectors {
  readonly #programs = new LRUCache<string, Program | Error>({ max: programsMax })
  #convert: { readonly quantity: Program; readonly version: Program } | undefined

  /** An Error: the expression has no value for this device. */
  selects(expression: string, device: DeviceInfo): boolean | Error {
    const known = device.selections.get(expression)
    if (known !== undefined) return known
    const answer = this.#evaluate(expression, device)
    device.selections.set(expression, answer)
    return answer
  }

  #evaluate(expression: string, device: DeviceInfo): boolean | Error {
    const program = this.#programOf(expression)
    if (program instanceof Error) return program
    const outcome = program.evaluate(this.#bindingsOf(device))
    if (!outcome.ok) return new Error(`runtime error: ${outcome.error.message}`)
    return outcome.value === true
  }

  #programOf(expression: string): Program | Error {
    const known = this.#programs.get(expression)
    if (known) return known
    const compiled = compile(deviceEnvironment(), expression, { expectedType: types.bool })
    const program = compiled.ok ? compiled.program : new Error(compiled.message)
    this.#programs.set(expression, program)
    return program
  }

  #bindingsOf({ driver, device }: DeviceInfo): Bindings {
    const { attributes = {}, capacity = {}, allowMultipleAllocations = false }: Frozen<Device> = device
    const byDomain = <Given>(of: Readonly<Record<string, Given>>, value: (given: Given) => Value): MapValue => {
      const domains = new Map<string, [string, Value][]>()
      for (const [name, given] of Object.entries(of)) {
        const [domain, id] = qualified(name, driver)
        domains.set(domain, [...(domains.get(domain) ?? []), [id, value(given)]])
      }
      return new Domains(Array.from(domains, ([domain, entries]) => [domain, new EntryMap(entries)]))
    }
    return {
      device: {
        driver,
        attributes: byDomain(attributes, (given) => this.#attribute(given)),
        capacity: byDomain(capacity, ({ value }) => this.#converted('quantity', value)),
        allowMultipleAllocations,
      },
    }
  }

  #attribute({ int, bool, string, version }: Frozen<DeviceAttribute>): Value {
    if (version !== undefined) return this.#converted('version', version)
    return int ?? bool ?? string ?? null
  }

  /** Amounts and versions are types of the language, which its own functions make. */
  #converted(to: 'quantity' | 'version', text: string): Value {
    this.#convert ??= { quantity: conversion('quantity(text)'), version: conversion('semver(text)') }
    const outcome = this.#convert[to].evaluate({ text })
    return outcome.ok ? outcome.value : null
  }
}

/** `model` of driver `gpu.example.org` is `gpu.example.org/model`. */
export function qualified(name: string, driver: string): [domain: string, id: string] {
  const slash = name.indexOf('/')
  return slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)]
}

function conversion(expression: string): Program {
  const environment = createEnvironment({ libraries: kubernetesLibraries(), variables: { text: types.string } })
  const compiled = compile(environment, expression)
  if (!compiled.ok) throw new Error(compiled.message)
  return compiled.program
}

/** A domain without attributes is an empty map, so that expressions may ask for what other drivers have. */
class Domains extends MapValue {
  readonly #known: EntryMap

  constructor(entries: Iterable<readonly [MapKey, Value]>) {
    super()
    this.#known = new EntryMap(entries)
  }
  get size(): number {
    return this.#known.size
  }
  get(key: Value): Value | undefined {
    return this.#known.get(key) ?? (typeof key === 'string' ? new EntryMap([]) : undefined)
  }
  keys(): Iterable<MapKey> {
    return this.#known.keys()
  }
}
