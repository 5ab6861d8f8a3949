import { type EngineOptions, runWithSettings } from './engine.ts'
import { reportInJson } from './strayoutput.ts'

/** Must run before the rest of a program is imported. May replace the process. */
export function prepare(program: string, options: EngineOptions): void {
  reportInJson(program)
  runWithSettings(options)
}
