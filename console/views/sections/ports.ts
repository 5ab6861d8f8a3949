import { useSignal } from '@preact/signals'
import { html } from '../../parts/html.ts'
import { PlainTable } from '../../parts/plaintable.ts'
import { forwardCommand } from '../../state/forwardcommand.ts'
import { type ApiObject, fieldOf, metadataOf, records, text } from '../../state/values.ts'
import { texts } from '../../text.ts'

interface Port {
  readonly name: string
  readonly number: number
  readonly protocol: string
}

/** The ports of a pod or a service that can be forwarded, and the command that does it. */
export function PortsSection({ object }: { readonly object: ApiObject }) {
  const { name, namespace } = metadataOf(object)
  const isPod = object['kind'] === 'Pod'
  const ports = (isPod ? podPorts(object) : servicePorts(object)).filter(({ protocol }) => protocol === 'TCP')
  if (ports.length === 0) return null
  const target = `${isPod ? 'pod' : 'service'}/${text(name)}`
  return html`
    <h2>${texts.forward}</h2>
    <p class="hint">${texts.forwardHint}</p>
    <${PlainTable} label=${texts.forward}>
      ${ports.map((port) => html`<${PortRow} key=${`${port.name}${port.number}`} port=${port} command=${forwardCommand(text(namespace), target, port.number)} />`)}
    <//>
  `
}

function PortRow({ port, command }: { readonly port: Port; readonly command: string }) {
  const isCopied = useSignal(false)
  const copy = (): void => void navigator.clipboard.writeText(command).then(() => (isCopied.value = true))
  return html`
    <tr>
      <th scope="row">${port.name || port.number}</th>
      <td><code>${command}</code></td>
      <td><button class="plain" aria-label=${`${texts.copy}: ${command}`} onClick=${copy}>${isCopied.value ? texts.copied : texts.copy}</button></td>
    </tr>
  `
}

function podPorts(pod: ApiObject): Port[] {
  return records(fieldOf(pod, 'spec', 'containers')).flatMap((container) =>
    records(container['ports']).map(({ name, containerPort, protocol }) => ({
      name: text(name),
      number: Number(containerPort),
      protocol: text(protocol) || 'TCP',
    })),
  )
}

function servicePorts(service: ApiObject): Port[] {
  return records(fieldOf(service, 'spec', 'ports')).map(({ name, port, protocol }) => ({
    name: text(name),
    number: Number(port),
    protocol: text(protocol) || 'TCP',
  }))
}
