import type { ApiObject } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'

interface NamespaceAutoProvisionDependencies {
  /** Undefined: there is no such namespace. */
  find(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
  /** Resolves as well when the namespace was created meanwhile. */
  create(name: string, attributes: AdmissionAttributes): Promise<void>
}

/** Creates the missing namespace of a new object. */
export function createNamespaceAutoProvision({ find, create }: NamespaceAutoProvisionDependencies): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: (operation) => operation === 'CREATE',
    async mutate(attributes) {
      const { kind, namespace, subresource, dryRun, signal } = attributes
      if (namespace === '' || subresource !== '' || dryRun || (kind.group === '' && kind.kind === 'Namespace')) return
      if (!(await find(namespace, signal))) await create(namespace, attributes)
    },
  }
}
