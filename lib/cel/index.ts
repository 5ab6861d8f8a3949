export { compile } from './program.ts'
export { createEnvironment } from './environment.ts'
