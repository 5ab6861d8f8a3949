// openapi: the API's description for clients: OpenAPI 2.0 as one document (JSON and protobuf), 3.0 as one a group
// version. Made from compiled types and what is served; knows no kind by name.
export { type OpenApiSource, openApiV2, openApiV3 } from './document.ts'
export { createOpenApi, type OpenApi, type OpenApiOptions } from './handler.ts'
export { encodeOpenApiV2 } from './protobuf.ts'
