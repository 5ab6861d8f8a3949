import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateHttpHeaderName,
  validatePortName,
  validatePortNumber,
} from '../../../object/index.ts'
import { checkNonNegative, checkPresent, checkRequiredChoice, checkSupported } from '../../check.ts'

type Handler = core.LifecycleHandler & Pick<core.Probe, 'grpc'>

/** `graceSeconds`: the pod's terminationGracePeriodSeconds, the longest sleep. */
export function checkLivenessProbe(errors: FieldError[], probe: core.Probe | undefined, path: FieldPath): void {
  if (!probe) return
  checkProbe(errors, probe, path)
  if (probe.successThreshold !== 1)
    errors.push(fieldErrors.invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'))
}

export function checkReadinessProbe(errors: FieldError[], probe: core.Probe | undefined, path: FieldPath): void {
  if (!probe) return
  checkProbe(errors, probe, path)
  const seconds = probe.terminationGracePeriodSeconds
  if (seconds !== undefined)
    errors.push(
      fieldErrors.invalid(path.child('terminationGracePeriodSeconds'), seconds, 'must not be set for readinessProbes'),
    )
}

function checkProbe(errors: FieldError[], probe: core.Probe, path: FieldPath): void {
  checkHandler(errors, probe, undefined, path)
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const)
    checkNonNegative(errors, probe[name], path.child(name))
  const seconds = probe.terminationGracePeriodSeconds
  if (seconds !== undefined && seconds <= 0)
    errors.push(fieldErrors.invalid(path.child('terminationGracePeriodSeconds'), seconds, 'must be greater than 0'))
}

export function checkLifecycle(
  errors: FieldError[],
  lifecycle: core.Lifecycle | undefined,
  graceSeconds: number | undefined,
  path: FieldPath,
): void {
  if (lifecycle?.postStart) checkHandler(errors, lifecycle.postStart, graceSeconds, path.child('postStart'))
  if (lifecycle?.preStop) checkHandler(errors, lifecycle.preStop, graceSeconds, path.child('preStop'))
}

/** Exactly one way to probe or act. */
function checkHandler(errors: FieldError[], handler: Handler, graceSeconds: number | undefined, path: FieldPath): void {
  let count = 0
  const only = (name: string): boolean => {
    count++
    if (count > 1) errors.push(fieldErrors.forbidden(path.child(name), 'may not specify more than 1 handler type'))
    return count === 1
  }
  if (handler.exec && only('exec') && !handler.exec.command?.length)
    errors.push(fieldErrors.required(path.child('exec').child('command')))
  if (handler.httpGet && only('httpGet')) checkHttpGet(errors, handler.httpGet, path.child('httpGet'))
  if (handler.tcpSocket && only('tcpSocket'))
    checkPort(errors, handler.tcpSocket.port, path.child('tcpSocket').child('port'))
  if (handler.grpc && only('grpc')) checkPort(errors, handler.grpc.port, path.child('grpc').child('port'))
  if (handler.sleep && only('sleep')) checkSleep(errors, handler.sleep.seconds, graceSeconds ?? 0, path.child('sleep'))
  if (count === 0) errors.push(fieldErrors.required(path, 'must specify a handler type'))
}

function checkSleep(errors: FieldError[], seconds: number, graceSeconds: number, path: FieldPath): void {
  if (seconds < 0 || seconds > graceSeconds) {
    const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`
    errors.push(fieldErrors.invalid(path, seconds, why))
  }
}

function checkHttpGet(errors: FieldError[], action: core.HTTPGetAction, path: FieldPath): void {
  checkPresent(errors, action.path, path.child('path'))
  checkPort(errors, action.port, path.child('port'))
  checkSupported(errors, action.scheme, path.child('scheme'), ['HTTP', 'HTTPS'])
  for (const header of action.httpHeaders ?? [])
    for (const finding of validateHttpHeaderName(header.name))
      errors.push(fieldErrors.invalid(path.child('httpHeaders'), header.name, finding))
}

function checkPort(errors: FieldError[], port: number | string | undefined, path: FieldPath): void {
  const value = port ?? 0
  const findings = typeof value === 'number' ? validatePortNumber(value) : validatePortName(value)
  for (const finding of findings) errors.push(fieldErrors.invalid(path, value, finding))
}

/** The ports of a container. */
export function checkContainerPorts(
  errors: FieldError[],
  ports: readonly core.ContainerPort[] | undefined,
  path: FieldPath,
): void {
  const names = new Set<string>()
  ports?.forEach((port, index) => {
    const at = path.index(index)
    if (port.name) {
      const findings = validatePortName(port.name)
      for (const finding of findings) errors.push(fieldErrors.invalid(at.child('name'), port.name, finding))
      if (findings.length === 0) {
        if (names.has(port.name)) errors.push(fieldErrors.duplicate(at.child('name'), port.name))
        names.add(port.name)
      }
    }
    if (!port.containerPort) errors.push(fieldErrors.required(at.child('containerPort')))
    else
      for (const finding of validatePortNumber(port.containerPort))
        errors.push(fieldErrors.invalid(at.child('containerPort'), port.containerPort, finding))
    if (port.hostPort)
      for (const finding of validatePortNumber(port.hostPort))
        errors.push(fieldErrors.invalid(at.child('hostPort'), port.hostPort, finding))
    checkRequiredChoice(errors, port.protocol, at.child('protocol'), ['SCTP', 'TCP', 'UDP'])
  })
}
