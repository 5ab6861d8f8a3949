// openapi: the API's description for clients, in JSON and protobuf: OpenAPI 2.0 as one document, 3.0 as one a group
// version. Made from compiled types and the served groups; knows no kind by name.
export { convertedDocument, type Version2Part } from './convert.ts'
export { type OpenApiSource, openApiV2, openApiV3 } from './document.ts'
export { createOpenApi } from './handler.ts'
export { messagesV2 } from './messagesv2.ts'
export { messagesV3 } from './messagesv3.ts'
export { encodeDocument } from './protobuf.ts'
export type { RemoteDocuments } from './remote.ts'
export { typeMetaProperties } from './schemas.ts'
