import {
  annotation,
  annotationsThat,
  byRevision,
  isSameTemplate,
  parseRevision,
  revisionOf,
  type SomeDeployment,
  type SomeSet,
  withoutHash,
} from './sets.ts'

/** The outcome of the rollback annotation: the deployment to write, and an event. */
export interface Rollback {
  /** Without the annotation, and with the older template where it exists. */
  readonly deployment: SomeDeployment
  readonly event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
}

/**
 * Clients of old releases request a rollback by an annotation with a revision; 0: the one before the last. It
 * restores the template and the annotations. Undefined: none is requested.
 */
export function rollbackOf(deployment: SomeDeployment, sets: readonly SomeSet[]): Rollback | undefined {
  const { [annotation.rollback]: wanted, ...annotations } = deployment.metadata.annotations ?? {}
  const given = parseRevision(wanted)
  if (given === undefined) return undefined
  const cleared = { ...deployment, metadata: { ...deployment.metadata, annotations } }
  const warn = (reason: string, message: string): Rollback => ({
    deployment: cleared,
    event: { type: 'Warning', reason: `DeploymentRollback${reason}`, message },
  })
  const revision = given || lastBut(sets)
  if (revision === undefined) return warn('RevisionNotFound', 'Unable to find last revision.')
  const set = sets.find((each) => revisionOf(each) === revision)
  if (!set) return warn('RevisionNotFound', 'Unable to find the revision to rollback to.')
  const name = JSON.stringify(deployment.metadata.name ?? '')
  if (isSameTemplate(set.spec.template, deployment.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`
    return warn('TemplateUnchanged', message)
  }
  return {
    deployment: {
      ...cleared,
      metadata: {
        ...cleared.metadata,
        annotations: { ...annotationsThat('stay', cleared), ...annotationsThat('pass', set) },
      },
      spec: { ...deployment.spec, template: withoutHash(set.spec.template) },
    },
    event: {
      type: 'Normal',
      reason: 'DeploymentRollback',
      message: `Rolled back deployment ${name} to revision ${revision}`,
    },
  }
}

/** The second highest revision. */
function lastBut(sets: readonly SomeSet[]): bigint | undefined {
  const [, second] = [...sets].sort(byRevision).reverse()
  return (second && revisionOf(second)) || undefined
}
