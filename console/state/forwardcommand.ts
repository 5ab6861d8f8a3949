/** Ports below it need rights that users rarely have. */
const privilegedBelow = 1024

/** The command that forwards a port of `pod/web` or `service/web` to one of this machine. */
export function forwardCommand(namespace: string, target: string, port: number): string {
  const local = port < privilegedBelow ? port + 8000 : port
  return `kubectl port-forward --namespace=${namespace} ${target} ${local}:${port}`
}
