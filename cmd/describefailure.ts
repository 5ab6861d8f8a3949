// The import of a whole room at run time would keep all of it in every program's bundle.
export { describeFailure } from '../lib/controlplane/index.ts'
