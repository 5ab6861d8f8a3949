import type { ApiObject } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'

interface NamespaceAutoProvisionDependencies {
  /** Undefined: there is none of that name. */
  find(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
  /** Answers as well where the namespace has come meanwhile. */
  create(name: string, attributes: AdmissionAttributes): Promise<void>
}

/** Makes the namespace of a new object where there is none. */
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
