import { type ApiObject, statusErrors } from '../../object/index.ts'
import type { AdmissionPlugin } from '../plugin.ts'

interface NamespaceExistsDependencies {
  /** Undefined: there is no such namespace. */
  find(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
}

/** Refuses all writes into namespaces that don't exist, deletions included. */
export function createNamespaceExists({ find }: NamespaceExistsDependencies): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: (operation) => operation !== 'CONNECT',
    async validate({ kind, namespace, signal }) {
      if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return
      if (!(await find(namespace, signal)))
        throw statusErrors.notFound({ group: '', resource: 'namespaces' }, namespace)
    },
  }
}
