// recording: the file that `pilothouse record` writes and `pilothouse replay` reads: its lines, what is hidden in them, and bodies
// of any format as JSON. Invariant: nothing is written that has not been through `redactObject`, `redactQuery` or `redactText`.
export { createBodyReader } from './bodies.ts'
export { EventReader } from './eventreader.ts'
export {
  checkHead,
  formatVersion,
  type Outline,
  type RecordedAnswer,
  type RecordedLine,
  type RecordedRequest,
  RecordingError,
  type RecordingHead,
  readLine,
  recordedHeaders,
} from './format.ts'
export { outlineOf } from './outline.ts'
export { redactObject, redactQuery, redactText } from './redact.ts'
