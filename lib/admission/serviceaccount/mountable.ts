import type * as core from '../../../api/gen/core/v1.ts'

const annotation = 'kubernetes.io/enforce-mountable-secrets'
const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** Whether pods of the account may use only the secrets in its list. */
export function limitsSecrets({ metadata }: core.ServiceAccount): boolean {
  return trueTexts.has(metadata.annotations?.[annotation] ?? '')
}

/** The first volume or reference of the pod that is not in its account's list; undefined: there is none. */
export function notMountable(spec: core.PodSpec, account: core.ServiceAccount): string | undefined {
  const { secrets, not } = listOf(account)
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? ''
    if (secret && !secrets.has(name)) return `volume with secret.secretName="${name}" ${not} secret`
  }
  const used =
    inContainers('init container', spec.initContainers, account) ?? inContainers('container', spec.containers, account)
  if (used !== undefined) return used
  const pulled = new Set(account.imagePullSecrets?.map(({ name }) => name ?? ''))
  const index = spec.imagePullSecrets?.findIndex(({ name = '' }) => !pulled.has(name)) ?? -1
  if (index < 0) return undefined
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name ?? ''}" ${not} imagePullSecret`
}

/** As notMountable, for ephemeral containers. */
export function notMountableLater(spec: core.PodSpec, account: core.ServiceAccount): string | undefined {
  return inContainers('ephemeral container', spec.ephemeralContainers, account)
}

function inContainers(
  what: string,
  containers: readonly Pick<core.Container, 'name' | 'env' | 'envFrom'>[] = [],
  account: core.ServiceAccount,
): string | undefined {
  const { secrets, not } = listOf(account)
  for (const container of containers) {
    for (const { name, valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef?.name ?? ''
      if (valueFrom?.secretKeyRef && !secrets.has(secret))
        return `${what} ${container.name} with envVar ${name} referencing secret.secretName="${secret}" ${not} secret`
    }
    for (const { secretRef } of container.envFrom ?? []) {
      const secret = secretRef?.name ?? ''
      if (secretRef && !secrets.has(secret))
        return `${what} ${container.name} with envFrom referencing secret.secretName="${secret}" ${not} secret`
    }
  }
  return undefined
}

function listOf({ metadata, secrets }: core.ServiceAccount): { secrets: ReadonlySet<string>; not: string } {
  return {
    secrets: new Set(secrets?.map(({ name }) => name ?? '')),
    not: `is not allowed because service account ${metadata.name ?? ''} does not reference that`,
  }
}
