import type { Checked } from './check.ts'
import type { Environment } from './environment.ts'
import { unknownSize, type Range } from './range.ts'
export function estimateCost(_environment: Environment, _checked: Checked): Range {
  return unknownSize
}
