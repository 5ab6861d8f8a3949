// controlplane: composes an API server of the rooms below: stores, admission, authorizers, identity, resources, the
// port, and the hooks after the start (hooks/<name>.ts). It is configured by ApiserverConfig alone and knows no flags,
// no command line and no process: those belong to the programs (cmd/).

export type { AuditConfig } from './access/auditing.ts'
export type { IssuersConfig } from './access/issuers.ts'
export type { TokenWebhookConfig } from './access/tokenwebhook.ts'
export { knownAdmissionPlugins } from './admission/admission.ts'
export { componentPages } from './api/componentpages.ts'
export { defaultKubelets } from './api/nodeproxy.ts'
export { groupOrder } from './api/order.ts'
export type { ServicesConfig } from './api/serviceaddresses.ts'
export { type Apiserver, composeApiserver } from './compose.ts'
export type {
  AdmissionSettings,
  ApiserverConfig,
  AuthorizationSettings,
  ServiceAccountConfig,
  StorageMediaType,
  StoreConfig,
  WebhookPlugin,
} from './config.ts'
export { createConfigCodec } from './configcodec.ts'
export type { Faults, InjectedFault } from './faults/faults.ts'
export type { Fault, FaultRule, FaultVerb } from './faults/rule.ts'
export { checkControllerNames, startLocalControllers, startsController } from './process/controllers.ts'
export { describeFailure, reasonOf, StartError } from './process/failure.ts'
export { type LocalNodes, startLocalNodes } from './process/nodes.ts'
export type { ServerSiblings } from './process/port.ts'
export type { ProcessEnvironment } from './serverservices.ts'
export type { Snapshots } from './storage/snapshots.ts'
