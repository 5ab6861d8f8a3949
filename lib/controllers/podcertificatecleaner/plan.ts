import { type Frozen, type ObjectMeta, parseTime } from '../../object/index.ts'

const ageMaxMs = 15 * 60_000

export function isOver({ creationTimestamp }: Frozen<ObjectMeta>, nowMs: number): boolean {
  return creationTimestamp !== undefined && nowMs - parseTime(creationTimestamp) >= ageMaxMs
}
