// controllers: a folder a controller, each `observe → plan → perform` over lib/controller, and this list of all of them;
// shared/ holds what several use. Invariant: controllers know each other only through the API. Must not know how the API
// is reached.
import type { ControllerDefinition } from '../controller/index.ts'
import { attachdetach } from './attachdetach/index.ts'
import { bootstrapsigner } from './bootstrapsigner/index.ts'
import { clusterroleaggregation } from './clusterroleaggregation/index.ts'
import { cronjob } from './cronjob/index.ts'
import { csrapproving } from './csrapproving/index.ts'
import { csrcleaner } from './csrcleaner/index.ts'
import { csrsigning } from './csrsigning/index.ts'
import { daemonset } from './daemonset/index.ts'
import { deployment } from './deployment/index.ts'
import { devicetainteviction } from './devicetainteviction/index.ts'
import { disruption } from './disruption/index.ts'
import { endpoints } from './endpoints/index.ts'
import { endpointslice } from './endpointslice/index.ts'
import { endpointslicemirroring } from './endpointslicemirroring/index.ts'
import { ephemeralvolume } from './ephemeralvolume/index.ts'
import { garbagecollector } from './garbagecollector/index.ts'
import { horizontalpodautoscaler } from './horizontalpodautoscaler/index.ts'
import { job } from './job/index.ts'
import { legacytokencleaner } from './legacytokencleaner/index.ts'
import { namespace } from './namespace/index.ts'
import { nodeipam } from './nodeipam/index.ts'
import { nodelifecycle } from './nodelifecycle/index.ts'
import { podcertificatecleaner } from './podcertificatecleaner/index.ts'
import { podgc } from './podgc/index.ts'
import { pvbinder } from './pvbinder/index.ts'
import { pvcprotection } from './pvcprotection/index.ts'
import { pvexpander } from './pvexpander/index.ts'
import { pvprotection } from './pvprotection/index.ts'
import { replicaset } from './replicaset/index.ts'
import { replicationcontroller } from './replicationcontroller/index.ts'
import { resourceclaim } from './resourceclaim/index.ts'
import { resourcequota } from './resourcequota/index.ts'
import { rootca } from './rootca/index.ts'
import { serviceaccount } from './serviceaccount/index.ts'
import { serviceaccounttoken } from './serviceaccounttoken/index.ts'
import { servicecidr } from './servicecidr/index.ts'
import { statefulset } from './statefulset/index.ts'
import { storageversiongc } from './storageversiongc/index.ts'
import { storageversionmigrator } from './storageversionmigrator/index.ts'
import { tainteviction } from './tainteviction/index.ts'
import { tokencleaner } from './tokencleaner/index.ts'
import { trustbundlepublisher } from './trustbundlepublisher/index.ts'
import { ttl } from './ttl/index.ts'
import { ttlafterfinished } from './ttlafterfinished/index.ts'
import { vacprotection } from './vacprotection/index.ts'
import { validatingadmissionpolicystatus } from './validatingadmissionpolicystatus/index.ts'

/** In the order in which they start. */
export const controllers: readonly ControllerDefinition[] = [
  serviceaccount,
  serviceaccounttoken,
  legacytokencleaner,
  rootca,
  trustbundlepublisher,
  clusterroleaggregation,
  bootstrapsigner,
  tokencleaner,
  csrapproving,
  csrsigning,
  csrcleaner,
  podcertificatecleaner,
  namespace,
  garbagecollector,
  storageversiongc,
  storageversionmigrator,
  resourcequota,
  podgc,
  ttl,
  ttlafterfinished,
  nodeipam,
  nodelifecycle,
  tainteviction,
  devicetainteviction,
  deployment,
  replicaset,
  replicationcontroller,
  statefulset,
  daemonset,
  job,
  cronjob,
  disruption,
  horizontalpodautoscaler,
  endpoints,
  endpointslice,
  endpointslicemirroring,
  servicecidr,
  pvbinder,
  attachdetach,
  pvexpander,
  pvcprotection,
  pvprotection,
  ephemeralvolume,
  resourceclaim,
  vacprotection,
  validatingadmissionpolicystatus,
]
