import type { Proof } from './proof.ts'
import { conversions } from './proofs/conversions.ts'
import { cronJobTimes } from './proofs/cronjobs.ts'
import { printerColumns, statusLists } from './proofs/definitions.ts'
import { adminDevices } from './proofs/devices.ts'
import { extremeNumbers } from './proofs/extremenumbers.ts'
import { largeLists, parallelLargeWork } from './proofs/largework.ts'
import { policyParameters } from './proofs/policyparameters.ts'
import { prototypes } from './proofs/prototypes.ts'
import { signingRequests } from './proofs/signingrequests.ts'

/** The proofs that take about a second; on one plane, in this order. */
export const proofsInShort: readonly Proof[] = [
  statusLists,
  printerColumns,
  prototypes,
  policyParameters,
  signingRequests,
  cronJobTimes,
  extremeNumbers,
]

/** All of them. */
export const proofs: readonly Proof[] = [
  ...proofsInShort,
  adminDevices,
  conversions,
  largeLists,
  parallelLargeWork(10),
  parallelLargeWork(50),
]
