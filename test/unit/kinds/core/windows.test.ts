import { type Loose, refusesToCreate } from '../../../support/kindcases.ts'
import { valid as pod } from '../../../support/valid/Pod.ts'

function windows(options: object, container?: object) {
  return (object: Loose): void => {
    object.spec = {
      ...object.spec,
      os: undefined,
      initContainers: [],
      volumes: [],
      securityContext: { windowsOptions: options },
      containers: [
        { name: 'a', image: 'i', ...(container ? { securityContext: { windowsOptions: container } } : {}) },
        { name: 'b', image: 'i' },
      ],
    }
  }
}
const user = (name: string, why: string): [(object: Loose) => void, string[]] => [
  windows({ runAsUserName: name }),
  [`spec.securityContext.windowsOptions.runAsUserName: Invalid value: ${JSON.stringify(name)}: runAsUserName's ${why}`],
]

describe('kinds: pods of Windows', () => {
  refusesToCreate(pod, [
    [
      'a specification under no name',
      windows({ gmsaCredentialSpecName: 'A_B' }),
      [
        'spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A_B": a lowercase RFC 1123 subdomain…',
      ],
    ],
    [
      'a specification that is too long',
      windows({ gmsaCredentialSpec: 'x'.repeat(65537) }),
      [
        `spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "${'x'.repeat(65537)}": gmsaCredentialSpec size must be under 64 KiB`,
      ],
    ],
    ['a domain of no form', ...user('.a*\\b', "Domain doesn't match the NetBios nor the DNS format")],
    [
      'a container that is no process of the host, of a pod that is',
      windows({ hostProcess: true }, { hostProcess: false }),
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    ],
    [
      'a process of the host in a network of its own',
      windows({ hostProcess: true }),
      ['spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers'],
    ],
  ])
})
