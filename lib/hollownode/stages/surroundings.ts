import { type ApiObject, type Frozen, formatTime } from '../../object/index.ts'
import { nodeConditions } from '../node/object.ts'
import type { Surroundings } from '../template/template.ts'
import { isTrue, type Value } from '../template/value.ts'

/** The object of a stage, and facts for its templates. */
export interface StageMoment {
  readonly object: Frozen<ApiObject>
  readonly nowMs: number
  /** When this process began. */
  readonly startedAtMs: number
  readonly node: {
    readonly name: string
    readonly address: string
    /** Where its kubelet listens. */
    readonly port: number
    /** Its version: `v1.36.0`. */
    readonly version: string
  }
  /** The address of a pod of this process; '' where it has none. */
  podIp(namespace: string, name: string): string
}

/** The functions of kwok's templates that depend on the object or its node, by the names that kwok gives them. */
export function surroundingsOf({ object, nowMs, startedAtMs, node, podIp }: StageMoment): Surroundings {
  const { namespace = '', name = '' } = object.metadata
  const always = (value: () => Value): Surroundings[string] => ({ least: 0, run: value })
  const addressOf = ([, usesNode, , of, within]: readonly Value[]): string =>
    isTrue(usesNode) ? node.address : podIp(String(within), String(of))
  return {
    Now: always(() => formatTime(nowMs)),
    StartTime: always(() => formatTime(startedAtMs)),
    Version: always(() => node.version),
    NodeName: always(() => node.name),
    NodeIP: always(() => node.address),
    NodePort: always(() => node.port),
    NodeIPWith: { least: 1, run: () => node.address },
    NodeIPsWith: { least: 1, run: () => [node.address] },
    NodeConditions: always(() =>
      nodeConditions(nowMs).map(({ type, status, reason = '', message = '' }) => ({ type, status, reason, message })),
    ),
    PodIP: always(() => podIp(namespace, name)),
    PodIPWith: { least: 5, run: addressOf },
    PodIPsWith: { least: 5, run: (values) => [addressOf(values)] },
  }
}

const nobody: StageMoment = {
  object: { apiVersion: '', kind: '', metadata: {} },
  nowMs: 0,
  startedAtMs: 0,
  node: { name: '', address: '', port: 0, version: '' },
  podIp: () => '',
}

/** The names of these functions. */
export const surroundingNames: ReadonlySet<string> = new Set(Object.keys(surroundingsOf(nobody)))
