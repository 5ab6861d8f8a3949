// controlplane: puts an API server together out of the rooms below: stores, admission, authorizers, identity, resources,
// the port, and the hooks after the start (hooks/<name>.ts). It is configured by ApiserverConfig alone and knows no flags,
// no command line and no process: those are the programs' (cmd/).
export { knownAdmissionPlugins } from './admission/admission.ts'
export type { IssuersConfig } from './access/issuers.ts'
export type { TokenWebhookConfig } from './access/tokenwebhook.ts'
export type { AuditConfig } from './auditing.ts'
export { type Apiserver, composeApiserver } from './compose.ts'
export type {
  AdmissionSettings,
  WebhookPlugin,
  ApiserverConfig,
  AuthorizationSettings,
  ServiceAccountConfig,
  StorageMediaType,
  StoreConfig,
} from './config.ts'
export { componentPages } from './componentpages.ts'
export { checkControllerNames, startLocalControllers, startsController } from './controllers.ts'
export { createConfigScheme } from './configscheme.ts'
export { describeFailure, reasonOf, StartError } from './failure.ts'
export type { ServicesConfig } from './serviceaddresses.ts'
export { groupOrder } from './order.ts'
export type { Surroundings } from './services.ts'
