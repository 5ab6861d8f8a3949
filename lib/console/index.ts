// The console's room: serves the files of the page in console/ to everybody. They hold no data and no rights: the
// page asks the API with the credential of its user, as any other client does.
export { createConsole } from './console.ts'
export type { ConsoleIssuer, ConsoleSettings } from './settings.ts'
export { findConsoleSource } from './source.ts'
