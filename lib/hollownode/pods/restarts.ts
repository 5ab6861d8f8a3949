import type { Container, PodSpec } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'

/** A container is started again after that exit code: by its own rules and policy, else by the pod's policy. */
export function restartsAfter(spec: Frozen<PodSpec>, container: Frozen<Container>, exitCode: number): boolean {
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    if (action !== 'Restart' || exitCodes === undefined) continue
    const isListed = exitCodes.values?.includes(exitCode) === true
    if (exitCodes.operator === 'In' ? isListed : !isListed) return true
  }
  const isInit = spec.initContainers?.some(({ name }) => name === container.name) === true
  const isEphemeral = spec.ephemeralContainers?.some(({ name }) => name === container.name) === true
  if (isEphemeral) return false
  const policy = container.restartPolicy ?? spec.restartPolicy ?? 'Always'
  if (policy === 'Never') return false
  // An init container that has succeeded is over whatever the pod's policy is.
  return policy === 'Always' && !(isInit && container.restartPolicy !== 'Always') ? true : exitCode !== 0
}
