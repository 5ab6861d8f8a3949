import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'

type Schema = v1.JSONSchemaProps

/** The schema of a declared property. Clients choose the names: an inherited one (`constructor`) declares nothing. */
export function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  const properties: Readonly<Record<string, Schema>> = schema?.properties ?? {}
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}
